// The Back button belongs to the CRM: inside its frame, links, forms and redirects
// replace the current page, so that working on a record adds no entry to the host page's
// history.
(() => {
  'use strict';
  const doc = document;
  if (parent === self) return;
  // frame.js says what the next page has to know if the browser stores nothing for frames.
  function go(address) {
    const next = new URL(address, location.href), stays = here(next.href), {passOn} = doc.documentElement.dataset;
    if (next.hash || !passOn) return location.replace(next);
    next.hash = passOn;
    if (!stays) return location.replace(next);
    history.replaceState(history.state, '', next); // a new fragment alone would load nothing
    location.reload();
  }
  const here = address => address.split('#')[0] === location.href.split('#')[0];

  doc.addEventListener('click', e => {
    const a = e.target.closest?.('a[href]');
    if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (a.target || a.hasAttribute('download') || a.origin !== location.origin) return;
    e.preventDefault();
    go(a.href);
  });

  // htmx sends the form and renders the response under this page's nonce. The timeout is
  // that of a request to the lender, not of a fetch; app.js blocks a second press.
  doc.addEventListener('submit', e => {
    const form = e.target;
    form.querySelector('.beside')?.remove();
    if (e.defaultPrevented || form.target || form.method === 'dialog') return;
    e.preventDefault();
    const action = e.submitter?.getAttribute('formaction') ? e.submitter.formAction : form.action;
    if (form.method === 'post') return htmx.ajax('POST', action, {source: form, event: e, target: doc.body, swap: 'innerHTML', whole: true});
    const asked = new URL(action);
    asked.search = new URLSearchParams(new FormData(form, e.submitter));
    go(asked);
  });
  doc.addEventListener('htmx:config:request', e => { if (e.detail.ctx.whole) e.detail.ctx.request.timeout = '2m'; });

  // Redirects are followed; a whole page, including an error page, replaces this one; a
  // message about the form is placed after its button.
  doc.addEventListener('htmx:after:request', e => {
    const {ctx} = e.detail, {redirect, retarget} = ctx.hx, {form} = ctx.request, beside = form && retarget === 'closest form';
    if (!redirect && !ctx.whole && !beside) return;
    e.preventDefault();
    if (redirect) {
      // a request without user action first saves what was typed
      if (!ctx.whole && ctx.response.status === 401) doc.dispatchEvent(new Event('ending'));
      return go(redirect);
    }
    const el = beside ? placeIn(form) : doc.body;
    htmx.swap({text: ctx.text, sourceElement: el, target: el, swap: beside ? 'beforeend' : 'innerHTML'})
      .then(() => { beside ? rest(form) : arrive(); });
  });
  doc.addEventListener('htmx:error', e => {
    if (e.detail.ctx?.whole) rest(e.detail.ctx.request.form, 'No response. Your entries are still here. Check the lead before you try again.');
  });

  // So does a message about a button in a bar that stays in sight: not every browser scrolls the host page to it.
  const placeIn = form => form.querySelector('.selection-bar, .dock') ?? form;

  // rest: the form can be submitted again
  function rest(form, said) {
    for (const el of [form, ...form.elements]) el.removeAttribute('aria-busy');
    const beside = form.querySelector('.beside'), note = beside || doc.createElement('p');
    if (said && !beside) placeIn(form).append(note);
    if (said) Object.assign(note, {className: 'beside note fail', textContent: said});
    note.tabIndex = -1;
    note.focus();
  }

  // arrive: moves the focus to the error, or scrolls to the top, which may be above the
  // visible part of the host page
  function arrive() {
    const wrong = doc.querySelectorAll('[aria-invalid="true"]');
    const first = wrong.length > 1 && doc.querySelector('#complaints') || wrong[0];
    if (first) first.focus();
    else if (doc.referrer.startsWith(location.origin + '/')) doc.body.firstElementChild?.scrollIntoView({block: 'nearest'});
  }
  arrive();
})();
