// Additional behavior of pages inside a CRM's frame. They send small versioned messages
// to the host page, only to the one origin that the server names; the messages contain a
// height or the fact that something changed, and no personal data. If it is unknown which
// of a CRM's pages is the host, no message is sent:
//
//   {v: 1, type: "portal.resize", h: 840}     the height that the page needs
//   {v: 1, type: "portal.changed", step: "…"} the record's lead has changed: fetch it again
//   {v: 1, type: "portal.selected"}           an offer was selected
//   {v: 1, type: "portal.expired"}            this page is unusable: launch the record again
//   {v: 1, type: "portal.ping"}               from the host: report the height again
//   {v: 1, type: "host.viewport", top: 0, bottom: 640}
//                                             from the host: the part of the frame in sight
(() => {
  'use strict';
  const doc = document, root = doc.documentElement, framed = parent !== self;
  // Before a launch is verified, any page that the CRM lists may be the host: then the
  // browser reports which one it is, if it can.
  const listed = root.dataset.host?.split(' ') ?? [];
  const host = listed.length > 1 ? listed.find(origin => origin === location.ancestorOrigins?.[0]) : listed[0];
  const $ = sel => doc.querySelector(sel);
  const tell = (type, more) => { if (framed && host) parent.postMessage({v: 1, type: 'portal.' + type, ...more}, host); };
  if (framed) root.dataset.framed = '';

  // ---- height ---------------------------------------------------------------

  let told, waiting;
  function measure() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      const whole = Math.ceil(doc.body.getBoundingClientRect().height), h = Math.max(200, Math.min(8000, whole));
      // If the host applies the height, there is nothing to scroll. Without a scrollbar
      // that appears and disappears, the width is stable, and so is the height.
      root.toggleAttribute('data-fits', !!(framed && host) && innerHeight >= whole);
      if (h !== told) tell('resize', {h: told = h});
    });
  }
  new ResizeObserver(measure).observe(doc.body);
  addEventListener('resize', measure);
  addEventListener('message', e => {
    if (!host || e.origin !== host || e.source !== parent || e.data?.v !== 1) return;
    const {type, top, bottom} = e.data;
    if (type === 'portal.ping') {
      told = 0;
      measure();
    } else if (type === 'host.viewport' && Number.isFinite(top) && bottom > top) {
      reported = {top, bottom};
      keep(reported);
    }
  });

  // ---- popovers -------------------------------------------------------------
  // The frame is as tall as its page, so a fixed position may be out of view. The browser
  // reports which part of the page is visible, even through cross-origin host pages.

  const inSight = () => new Promise(done => {
    const look = new IntersectionObserver(([seen]) => {
      look.disconnect();
      const {top, bottom} = seen.intersectionRect;
      done(bottom > top && {top, bottom});
    });
    look.observe(root);
  });
  function place(el, top, seen) {
    const at = Math.max(seen.top + 8, Math.min(top, seen.bottom - el.offsetHeight - 8));
    Object.assign(el.style, {top: '0', bottom: 'auto', marginBlock: '0'});
    el.style.top = at - el.getBoundingClientRect().top + 'px';
  }

  let opener;
  doc.addEventListener('click', e => { opener = e.target.closest?.('[popovertarget]') ?? opener; }, true);
  doc.addEventListener('toggle', async e => {
    const el = e.target;
    if (!framed || !el.popover || e.newState !== 'open') return;
    const seen = await inSight(), by = opener?.isConnected && opener.popoverTargetElement === el && opener.getBoundingClientRect();
    if (!el.matches(':popover-open')) return;
    const menu = el.classList.contains('menu');
    if (seen) place(el, menu && by ? by.bottom + 4 : (seen.top + seen.bottom - el.offsetHeight) / 2, seen);
    if (!menu && !el.contains(doc.activeElement)) {
      el.tabIndex = -1;
      el.focus({preventScroll: true});
    }
    el.scrollIntoView({block: 'nearest'});
  }, true);

  // Bars and messages at the bottom stay in sight wherever the host page scrolls: at the end
  // of the part of the frame that the host page reports, or else the browser.
  let reported, settling;
  const keep = seen => { if (seen) root.style.setProperty('--below', Math.max(0, innerHeight - seen.bottom) + 'px'); };
  async function settle() {
    keep(reported ?? await inSight());
  }
  if (framed) {
    new IntersectionObserver(([seen]) => {
      if (!reported && seen.isIntersecting) keep(seen.intersectionRect);
      clearTimeout(settling);
      settling = setTimeout(settle, 100);
    }, {threshold: Array.from({length: 401}, (_, i) => i / 400)}).observe(root);
    addEventListener('resize', settle);
  }

  // ---- the lead has changed -------------------------------------------------

  // For a record without a lead the status token is empty, so the host also learns about
  // its first lead, and about unlinking it. The token that the frame showed last is in the
  // session storage. A browser that stores nothing for frames has it in the page, from where
  // frame_history.js passes it to the next page in the fragment of its address.
  const key = 'stand ' + location.pathname.split('/').slice(0, 4).join('/'), mark = '#stand=';
  const storage = (() => { try { return sessionStorage; } catch { return null; } })();
  let before = storage?.getItem(key) ?? null;
  function remember(token) {
    before = token;
    if (!storage) root.dataset.passOn = token === null ? '' : mark + token;
    else if (token === null) storage.removeItem(key);
    else storage.setItem(key, token);
  }
  if (!storage && location.hash.startsWith(mark)) {
    remember(location.hash.slice(mark.length));
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  // A token ends with the code of its step.
  const step = token => decodeURIComponent(token).split(' ').pop();
  const offeredMark = '&'; // after the token of a lead that had offers
  const selected = ['borrower_auth_required', 'broker_doc_signing_required', 'inquiry_complete'];
  function moved() {
    const shown = $('[data-stand]')?.dataset.stand, last = before;
    if ($('[data-forget]')) return remember(null);
    if (shown === undefined) return;
    const now = encodeURIComponent(shown), was = last?.replace(offeredMark, '');
    if (now === was) return;
    // The lender may take a while to process a selection: until then, the lead is in progress.
    const offered = last !== null && (was !== last || step(was) === 'offers_available');
    remember(offered && step(now) === 'in_progress' ? now + offeredMark : now);
    if (last === null) return;
    tell('changed', {step: step(now)});
    if (offered && selected.includes(step(now))) tell('selected');
  }
  moved();
  new MutationObserver(moved).observe(doc.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-stand']});

  // ---- this page is unusable ------------------------------------------------
  // Reported when the page is visible: a hidden tab can wait.

  let ending;
  function over() {
    if (doc.hidden) doc.addEventListener('visibilitychange', over, {once: true});
    else tell('expired');
  }
  function end() {
    const {ends} = $('[data-ends]')?.dataset ?? {};
    clearTimeout(ending);
    if (ends) ending = setTimeout(over, Number(ends));
  }
  end();
  doc.addEventListener('htmx:after:swap', end);
  doc.addEventListener('ended', over);

  // ---- a link out of the frame includes the draft once it is saved ----------

  doc.addEventListener('click', e => {
    const a = e.target.closest?.('a[data-kept]');
    if (a && $('[data-saved]')?.textContent.startsWith('Saved')) a.href = a.dataset.kept;
  }, true);

  // ---- clickjacking ---------------------------------------------------------
  // The pressed button, or the field in which the user pressed Enter, must have been
  // uncovered for a while, as reported by the browser; a browser that cannot detect this
  // is reported as such. Otherwise the form is sent without frame.seen, and the server
  // asks for a separate window. In a tab there is no host page, so nothing can cover the
  // page.

  const careful = /\/(select-offer|cancel|reassign|reveal|undo|take-off|clone|loan-file|leads|link|borrower-link|add-ssn|repull-credit|verify-liens|asset-depletion|add-income|add-property-estimate|select-property|attributions|share|set-aside)$/;
  const long = 600, since = new Map(), judges = 'IntersectionObserverEntry' in self && 'isVisible' in IntersectionObserverEntry.prototype;
  const eye = new IntersectionObserver(seen => {
    for (const s of seen) {
      if (!(judges ? s.isVisible : s.isIntersecting)) since.delete(s.target);
      else if (!since.has(s.target)) since.set(s.target, performance.now());
    }
  }, {threshold: [.99], trackVisibility: true, delay: 100});
  const must = (form, button) => form?.method === 'post' &&
    careful.test(new URL(button?.hasAttribute('formaction') ? button.formAction : form.action).pathname);
  function watch() {
    for (const form of doc.forms) {
      for (const el of form.elements) if (el.type === 'submit' && must(form, el)) eye.observe(el);
    }
  }
  watch();
  doc.addEventListener('htmx:after:swap', watch);
  doc.addEventListener('focusin', e => { if (must(e.target.form)) eye.observe(e.target); });
  // Users who are faster than the browser's check press again, and see what they press.
  function tooSoon(e) {
    e.preventDefault();
    e.stopImmediatePropagation();
    const said = $('#press-again') ?? doc.createElement('p');
    Object.assign(said, {id: 'press-again', role: 'status', textContent: 'Press the button again.'});
    e.submitter.after(said);
  }
  doc.addEventListener('submit', e => {
    const form = e.target;
    if (!must(form, e.submitter)) return;
    form.querySelector('[name="frame.seen"]')?.remove();
    const stood = el => performance.now() - since.get(el) >= long;
    if (!e.isTrusted) return;
    if (framed && !stood(e.submitter) && !stood(doc.activeElement)) return since.has(e.submitter) && tooSoon(e);
    const word = doc.createElement('input');
    Object.assign(word, {type: 'hidden', name: 'frame.seen', value: judges || !framed ? 'true' : 'unjudged'});
    form.append(word);
  }, true);

  // ---- does the browser store a sign-in here? --------------------------------

  async function probe() {
    const {probe, go} = $('[data-go]')?.dataset ?? {};
    if (!go) return;
    const r = probe && await fetch(probe, {mode: 'same-origin'}).catch(() => null);
    if (!probe || r?.status === 204) return location.replace(go);
    for (const el of doc.querySelectorAll('[data-without-cookie]')) el.hidden = false;
    for (const el of doc.querySelectorAll('[data-with-cookie]')) el.hidden = true;
    $('[data-without-cookie] button')?.focus();
  }
  probe();
  doc.addEventListener('htmx:after:swap', probe);
})();
