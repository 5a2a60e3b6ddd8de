// What a page does besides inside a CRM's frame. It speaks with the page around it by
// small numbered messages, to the one origin that the server names and to no other; they
// say a height and that something changed, and nothing of anybody:
//
//   {v: 1, type: "portal.resize", h: 840}     how high the page would like to be
//   {v: 1, type: "portal.changed"}            the record's lead has moved: look anew
//   {v: 1, type: "portal.ping"}               the other way: say your height again
(() => {
  'use strict';
  const doc = document, root = doc.documentElement, host = root.dataset.host, framed = parent !== self;
  const $ = sel => doc.querySelector(sel);
  const tell = (type, more) => { if (framed) parent.postMessage({v: 1, type: 'portal.' + type, ...more}, host); };
  if (framed) root.dataset.framed = '';

  // ---- height ---------------------------------------------------------------

  let told, waiting;
  function measure() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      const h = Math.max(200, Math.min(4000, Math.ceil(doc.body.getBoundingClientRect().height)));
      if (h !== told) tell('resize', {h: told = h});
    });
  }
  new ResizeObserver(measure).observe(doc.body);
  addEventListener('message', e => {
    if (e.origin !== host || e.source !== parent || e.data?.v !== 1 || e.data.type !== 'portal.ping') return;
    told = 0;
    measure();
  });

  // ---- the lead has moved ---------------------------------------------------

  function moved() {
    const now = $('[data-stand]')?.dataset.stand;
    if (!now) return;
    const key = 'stand ' + location.pathname.split('/').slice(0, 4).join('/');
    try {
      const before = sessionStorage.getItem(key);
      sessionStorage.setItem(key, now);
      if (before && before !== now) tell('changed');
    } catch { /* a browser that keeps nothing in frames */ }
  }
  moved();
  new MutationObserver(moved).observe(doc.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-stand']});

  // ---- the Back button is the CRM's: a link takes the place of its page ------

  doc.addEventListener('click', e => {
    const a = e.target.closest?.('a[href]');
    if (!framed || !a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (a.target || a.hasAttribute('download') || a.origin !== location.origin || a.href.split('#')[0] === location.href.split('#')[0]) return;
    e.preventDefault();
    location.replace(a.href);
  });

  // ---- what must not be pressed by a trick ----------------------------------
  // The button must have stood uncovered for a while, as the browser itself judges. Else
  // the form goes without the word for it, and the server asks for a window of its own.

  const careful = /\/(select-offer|cancel|reassign|reveal|undo)$/, long = 600, since = new Map();
  const eye = 'IntersectionObserver' in self && new IntersectionObserver(seen => {
    for (const s of seen) {
      if (s.isVisible !== true) since.delete(s.target);
      else if (!since.has(s.target)) since.set(s.target, performance.now());
    }
  }, {threshold: [.99], trackVisibility: true, delay: 100});
  function watch() {
    if (!eye) return;
    for (const form of doc.forms) {
      if (form.method !== 'post' || !careful.test(new URL(form.action).pathname)) continue;
      for (const button of form.elements) if (button.type === 'submit') eye.observe(button);
    }
  }
  watch();
  doc.addEventListener('htmx:after:swap', watch);
  doc.addEventListener('submit', e => {
    const form = e.target, path = new URL(form.action).pathname;
    if (form.method !== 'post' || !careful.test(path)) return;
    form.querySelector('[name="frame.seen"]')?.remove();
    const at = since.get(e.submitter);
    if (!e.isTrusted || at === undefined || performance.now() - at < long) return;
    const word = doc.createElement('input');
    Object.assign(word, {type: 'hidden', name: 'frame.seen', value: 'true'});
    form.append(word);
  }, true);

  // ---- does the browser keep a sign-in here? ---------------------------------

  async function probe() {
    const {probe, go} = $('[data-probe]')?.dataset ?? {};
    if (!probe) return;
    const r = await fetch(probe, {mode: 'same-origin'}).catch(() => null);
    if (r?.status === 204) return location.replace(go);
    for (const el of doc.querySelectorAll('[data-without-cookie]')) el.hidden = false;
    for (const el of doc.querySelectorAll('[data-with-cookie]')) el.hidden = true;
    $('[data-without-cookie] button')?.focus();
  }
  probe();
})();
