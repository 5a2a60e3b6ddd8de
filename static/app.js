// Behavior of the pages beyond plain HTML. Everything works without it; it makes no
// decisions. There is one document-level listener per event type, so parts that arrive
// later need no setup. Data attributes on a part configure its behavior:
//
//   data-live="*" | app ids      fetch the part again when such a lead changes
//   data-autosave="/drafts/…"    save the form as a draft while the user types
//   data-money, data-fill, data-print, data-autosubmit, data-theme-set, data-density-set
(() => {
  'use strict';
  const doc = document, root = doc.documentElement;
  const $ = (sel, from = doc) => from.querySelector(sel);
  const $$ = (sel, from = doc) => [...from.querySelectorAll(sel)];
  const on = (type, fn, opts) => doc.addEventListener(type, fn, opts);
  // press: a handler for clicks on or inside a matching element
  const press = (sel, fn) => on('click', e => {
    const el = e.target.closest?.(sel);
    if (el) fn(el, e);
  });
  // Our own fetches send htmx's headers, which the server requires for every fragment.
  const ours = {mode: 'same-origin', headers: {'HX-Request': 'true', 'HX-Request-Type': 'full'}};

  // ---- announcements: one polite live region on every page ------------------

  function say(text, button) {
    const region = $('#toasts');
    if (!region) return;
    const toast = doc.createElement('div');
    toast.className = 'toast';
    toast.append(text);
    if (button) toast.append(button);
    region.replaceChildren(toast);
    if (!button) setTimeout(() => toast.remove(), 8000);
  }

  function announce(text) {
    const region = $('#said');
    if (region) region.textContent = text;
  }

  // ---- theme and density: cookies, so that the server renders them ----------

  function keep(name, value) {
    const secure = location.protocol === 'https:' ? ';secure' : '';
    doc.cookie = `${name}=${value};path=/;max-age=31536000;samesite=lax${secure}`;
  }

  function setTheme(el) {
    const next = el.dataset.themeSet;
    if (next === 'system') delete root.dataset.theme; else root.dataset.theme = next;
    keep('theme', next);
    markSettings();
  }

  function setDensity(el) {
    const next = root.dataset.density ? 'comfortable' : 'compact';
    if (next === 'compact') root.dataset.density = next; else delete root.dataset.density;
    keep('density', next);
    markSettings();
  }

  function markSettings() {
    const theme = root.dataset.theme || 'system';
    $$('[data-theme-set]').forEach(el => el.setAttribute('aria-pressed', String(el.dataset.themeSet === theme)));
    $$('[data-density-set]').forEach(el => el.setAttribute('aria-pressed', String(root.dataset.density === 'compact')));
  }

  press('[data-theme-set]', setTheme);
  press('[data-density-set]', setDensity);

  // ---- live updates: the stream reports which lead changed; the part is fetched
  // through its own URL, so its permission is checked each time ---------------

  const due = new Set();
  let dueTimer, stream, retry = 500;

  const wants = (part, app) => (part.dataset.live === '*' && app !== 'inbox') || part.dataset.live.split(' ').includes(app);
  // Do not redraw a form while it is being submitted.
  const busy = part => $('[aria-busy="true"]', part);

  function leadChanged(data) {
    const [app, revision] = data.split(' ');
    for (const part of $$('[data-live]')) {
      const have = Number(part.dataset.revision || -1);
      if (wants(part, app) && !(Number(revision) <= have)) due.add(part);
    }
    refreshSoon();
  }

  function refreshAll() {
    $$('[data-live]').forEach(part => due.add(part));
    refreshSoon();
  }

  // Changes come in bursts; one fetch covers them all.
  function refreshSoon() {
    clearTimeout(dueTimer);
    dueTimer = setTimeout(() => {
      for (const part of due) {
        if (part.isConnected && busy(part)) continue;
        due.delete(part);
        if (part.isConnected) part.dispatchEvent(new CustomEvent('live'));
      }
      if (due.size) refreshSoon();
    }, 300);
  }

  function listen() {
    const address = root.dataset.events;
    if (!address || stream || doc.hidden) return;
    stream = new EventSource(address);
    stream.addEventListener('open', () => { retry = 500; });
    stream.addEventListener('lead', e => leadChanged(e.data));
    stream.addEventListener('inbox', () => leadChanged('inbox'));
    stream.addEventListener('resync', refreshAll);
    // The browser reconnects after a lost connection, but gives up permanently on an
    // error response, such as a proxy's while the portal restarts, or ours when the
    // session was ended elsewhere.
    stream.addEventListener('error', async () => {
      if (stream?.readyState !== EventSource.CLOSED) return;
      hangUp();
      if ((await ask({'Session-Renew': 'no'}))?.status === 401) return end();
      setTimeout(listen, retry * (.5 + Math.random()));
      retry = Math.min(retry * 1.5, 10000);
    });
  }

  function hangUp() {
    stream?.close();
    stream = null;
  }

  // Hidden tabs close their connection: browsers allow six per host.
  on('visibilitychange', () => doc.hidden ? hangUp() : listen());

  // An update does not change a form that the user has edited, including rows that they
  // added. The form's id is that of its operation, so it is removed when the lead asks
  // for something else.
  on('input', e => {
    const form = e.target.form;
    if (form?.id && form.method === 'post' && form.dataset.fresh === undefined) form.setAttribute('hx-morph-skip', '');
  });

  // New rows slide in; changed rows are highlighted once.
  let rowsBefore;
  const rowState = () => new Map($$('[data-row-of]').map(r => [r.id, r.dataset.revision]));
  on('htmx:before:swap', () => { rowsBefore = rowState(); });
  on('htmx:after:swap', e => {
    const marked = [];
    for (const row of $$('[data-row-of]')) {
      const was = rowsBefore?.get(row.id);
      const mark = was === undefined ? 'new' : was !== row.dataset.revision ? 'changed' : '';
      if (mark) row.classList.add(mark);
      if (mark) marked.push(row);
    }
    // A change that the user did not ask for is also announced.
    if (e.detail.ctx.sourceElement?.dataset.live) announceRows(marked);
    dress();
  });
  function announceRows(rows) {
    const text = row => ['.nm', '.chip'].map(sel => $(sel, row)?.textContent.trim().replace(/\s+/g, ' ')).filter(Boolean).join(': ');
    if (rows.length) announce(rows.length > 3 ? rows.length + ' leads have changed' : rows.map(text).join('. '));
  }

  // A section that the user expanded stays expanded.
  let unfolded = [];
  on('htmx:before:swap', () => { unfolded = $$('details[open][id]').map(el => el.id); });
  on('htmx:after:swap', () => {
    for (const el of unfolded.map(id => doc.getElementById(id))) if (el) el.open = true;
  });

  // Parts are refreshed without the user. While a form is being sent, such as the one that
  // signs out, a refused refresh must not lead to another page than the form does; what the
  // form itself gets is shown. A 401 has the address of the sign-in page, to which htmx
  // goes; after a 404 the lead is no longer accessible, and reloading the page explains it.
  on('htmx:before:response', e => {
    const {request, response: {status}, sourceElement: el} = e.detail.ctx, live = el?.dataset?.live;
    if (live && status >= 400 && request.method === 'GET' && busy()) e.preventDefault();
    else if (live && status === 404) location.reload();
    else if (status >= 500) say('This couldn’t be loaded. Try again.');
  });

  // ---- forms --------------------------------------------------------------

  // Ignore a second press of the same button.
  on('submit', e => {
    const form = e.target;
    if (e.defaultPrevented || form.method !== 'post' || form.target) return;
    if (form.getAttribute('aria-busy') === 'true') return e.preventDefault();
    form.setAttribute('aria-busy', 'true');
    e.submitter?.setAttribute('aria-busy', 'true');
    announce('Sending');
    setTimeout(() => {
      form.removeAttribute('aria-busy');
      e.submitter?.removeAttribute('aria-busy');
    }, 20000);
  });

  on('change', e => {
    if (e.target.closest?.('[data-autosubmit]') && e.target.matches('select')) e.target.form.requestSubmit();
  });

  // What a button opens gets the focus.
  on('toggle', e => {
    if (e.newState === 'open' && doc.activeElement?.popoverTargetElement === e.target) $$('a, button, input, select, textarea', e.target).find(el => el.checkVisibility())?.focus({preventScroll: parent !== self});
  }, true);

  press('[data-print]', () => window.print());

  // What a frame opened in this tab is done.
  if ($('[data-close-tab]')) close();

  // 1234.5 → 1,234.50, 97.5k → 97,500; the server reports what is not an amount, or not clear.
  const amount = /^\s*\$?\s*(\d+|\d{1,3}(?:[, ]\d{3})+)(?:\.(\d*))?\s*(k?)\s*$/i;
  function groupMoney(field) {
    const [, start, fraction = '', suffix = ''] = amount.exec(field.value) || [], places = suffix && 3;
    if (!start || fraction.length > (places || 2)) return;
    const whole = (start.replace(/\D/g, '') + (places && fraction.padEnd(places, '0') || '')).replace(/^0+(?=\d)/, '');
    if (places && whole.length > 8) return;
    field.closest('.money')?.classList.remove('own'); // the dollar sign is the box's again
    field.value = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction && !places ? '.' + fraction.padEnd(2, '0') : '');
  }
  on('focusout', e => { if (e.target.matches?.('[data-money]')) groupMoney(e.target); });

  // ---- offers: at most four side by side; the newest request wins -----------

  on('click', e => {
    const pin = e.target.closest?.('[name="pin"]');
    if (!pin?.checked) return;
    const others = new Set($$('[name="pin"]:checked').map(el => el.value));
    if (others.size <= 4) return;
    e.preventDefault();
    say('Four offers are pinned. Unpin one first.');
  });

  // Every request about the offers has a number. A response is dropped if a newer one was
  // already displayed, or if the user changed the figures after its request. While a request
  // is about to be sent, updates of the lead do not replace the offers; what else they
  // contain arrives with the next update.
  let asked = 0, shown = 0, asking = 0;
  const about = e => {
    if (!e.target.closest?.('#offers [hx-post], #offers [hx-get]')) return;
    shown = asked + .5;
    asking = performance.now() + 1000;
  };
  on('input', e => { if (e.target.form?.id === 'quote') about(e); });
  on('change', about);
  on('htmx:before:request', e => {
    const {ctx} = e.detail;
    ctx.nth = ++asked;
    if (ctx.target?.id === 'offers') asking = 0;
  });
  on('htmx:before:swap', e => {
    const {ctx} = e.detail, whole = ctx.target?.id === 'lead' && $('#offers');
    if (ctx.target?.id !== 'offers' && !whole) return;
    if (ctx.nth > shown && !(whole && performance.now() < asking)) return void (shown = ctx.nth);
    e.preventDefault();
    if (!whole) return;
    due.add(ctx.target);
    refreshSoon();
  });

  press('[data-fill]', (el, e) => {
    const form = $(el.dataset.fill);
    if (!form) return;
    e.preventDefault();
    for (const [name, value] of new URLSearchParams(el.dataset.values)) form.elements[name].value = value;
    $('[type="submit"]', form)?.focus();
  });

  // A code from an email is after the # of the URL, which servers do not receive.
  function fromAddress() {
    const button = $('[data-from-address]'), code = location.hash.slice(1);
    if (!button || !/^[\w-]{43}$/.test(code)) return;
    history.replaceState(null, '', location.pathname);
    button.form.elements.token.value = code;
    button.form.requestSubmit();
  }
  addEventListener('hashchange', fromAddress);

  // ---- drafts: everything but the SSN, one second after the last key --------

  const saving = new WeakMap();
  const secret = (form, name) => /(^|\.)ssn$/i.test(name) || form.elements[name]?.dataset?.secret != null;

  function draftBody(form) {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string' && !secret(form, name)) body.append(name, value);
    }
    return body;
  }

  // One save at a time, so that an older one never overwrites a newer one. draft.js shows the
  // answer, unless the user has typed more since.
  const sending = new WeakSet();

  async function saveDraft(form, keepalive = false) {
    clearTimeout(saving.get(form));
    saving.delete(form);
    if (sending.has(form) && !keepalive) return saveSoon(form, 300);
    let detail;
    sending.add(form);
    try {
      const r = await fetch(form.dataset.autosave, {
        ...ours, method: 'POST', body: draftBody(form), keepalive, signal: keepalive ? undefined : AbortSignal.timeout(20000),
      });
      noteExpiry(r.headers);
      if (r.status === 401) return end();
      if (!r.ok || r.redirected || r.headers.has('HX-Redirect')) throw new Error(r.status);
      detail = await r.json();
    } catch (e) {
      const over = /^40[49]$/.test(e.message); // sent, or no longer the user's
      detail = {over};
    }
    sending.delete(form);
    if (saving.has(form)) return;
    form.dispatchEvent(new CustomEvent('draft', {bubbles: true, detail}));
    if (detail.over === false && !keepalive) saveSoon(form, 10000);
  }

  function saveSoon(form, wait) {
    clearTimeout(saving.get(form));
    saving.set(form, setTimeout(saveDraft, wait, form));
  }

  // While the user types, a second after the last key; at once when they leave a field.
  for (const [type, wait] of [['input', 1000], ['change', 50]]) on(type, e => {
    const form = e.target.closest?.('form[data-autosave]');
    if (form && !(e.target.name && secret(form, e.target.name))) saveSoon(form, wait);
  });
  addEventListener('pagehide', () => {
    for (const form of $$('form[data-autosave]')) if (saving.has(form)) saveDraft(form, true);
  });

  // ---- end of the session ---------------------------------------------------
  // At the end the page is emptied, even without a network, so that anybody who finds the
  // screen sees only a link to sign in. Two minutes earlier the user can extend the
  // session.

  let timers = [], stirred = Date.now();

  function noteExpiry(headers) {
    const at = Number(headers.get('Session-Expires'));
    if (at) watchSession(at);
  }

  function watchSession(at) {
    const left = at - Date.now(), tooLong = 2 ** 31 - 1;
    if (!(left < tooLong)) return;
    timers.forEach(clearTimeout);
    timers = [[offerToStay, 120000], [hold, 9000], [end, 0]].map(([act, early]) =>
      setTimeout(unlessRenewed, Math.max(0, left - early), act, at));
  }

  // Another tab may have extended the session: only the server knows. An answer without
  // an end counts as the end.
  async function unlessRenewed(act, at) {
    if (!await goesOn(at + 1000, {'Session-Renew': 'no'})) act();
  }

  const ask = headers => fetch(root.dataset.stay, {
    ...ours, method: 'HEAD', headers: {...ours.headers, ...headers}, signal: AbortSignal.timeout(3000),
  }).catch(() => null);

  async function goesOn(at, headers) {
    const r = await ask(headers);
    const later = r?.ok && r.headers.get('Session-Expires') > at;
    if (later) noteExpiry(r.headers);
    return later;
  }

  // Typing is activity, even though nothing is sent yet.
  on('input', () => {
    if (!root.dataset.stay || Date.now() - stirred < 60000) return;
    goesOn(stirred = Date.now());
  });

  const hold = () => doc.dispatchEvent(new Event('ending'));

  function end() { // also saves what was typed since
    hold();
    blank();
  }

  function offerToStay() {
    const button = doc.createElement('button');
    button.className = 'btn';
    button.textContent = 'Stay signed in';
    button.addEventListener('click', async () => { if (await goesOn(0)) $('#toasts').replaceChildren(); });
    say('You’ll be signed out in less than two minutes.', button);
  }

  function blank() {
    hangUp();
    const main = doc.createElement('main'), link = doc.createElement('a'), title = doc.createElement('h1');
    title.textContent = 'You’re signed out';
    link.href = root.dataset.login || '/login?next=' + encodeURIComponent(location.pathname + location.search);
    link.textContent = 'Sign in again';
    main.append(title, link);
    doc.body.replaceChildren(main);
    doc.title = 'Signed out · Hearthline';
    link.focus();
    doc.dispatchEvent(new Event('ended'));
  }

  // ---- startup --------------------------------------------------------------

  // Controls that need this script are hidden until it runs; controls that are only for
  // use without it are hidden from then on.
  function dress() {
    $$('[data-needs-script][hidden]').forEach(el => { el.hidden = false; });
    for (const el of $$('[data-plain]')) {
      el.hidden = true;
      $$('input', el).forEach(field => { field.disabled = true; });
    }
    markSettings();
  }

  // A page from the back-forward cache is outdated, and its forms were already used.
  addEventListener('pageshow', e => { if (e.persisted) location.reload(); });
  on('htmx:after:request', e => noteExpiry(e.detail.ctx.response.headers));

  dress();
  fromAddress();
  // What the server says in the live region is said again, so that screen readers notice it, and then removed.
  const told = $('#toasts .toast');
  if (told) say(told.textContent);
  // Errors come first: a single one receives the focus; several are read from their
  // summary. A page that chose a control itself keeps its choice.
  const wrong = $$('[aria-invalid="true"]');
  if (!$('[autofocus]')) (wrong.length > 1 && $('#complaints') || wrong[0])?.focus();
  if (root.dataset.sessionExpires) watchSession(Number(root.dataset.sessionExpires));
  listen();
})();
