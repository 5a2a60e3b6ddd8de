// Behavior of a lead's pages beyond app.js: updates do not overwrite forms that the user
// has started, and the offers request a quote for the displayed figures. Served after
// pending_form.js in one file.
(() => {
  'use strict';
  const doc = document;
  const $ = (sel, from = doc) => from.querySelector(sel);
  const $$ = (sel, from = doc) => [...from.querySelectorAll(sel)];
  const on = (type, fn, opts) => doc.addEventListener(type, fn, opts);

  // An update of a lead does not overwrite what the user has started on its page: a form
  // with errors or unsaved values, a focused control, an open dialog. If the update
  // contains the same form, that form stays as it is while the rest of the page is
  // updated. If it does not, the whole page stays until the user is done. In both cases
  // the page reports next to the form that the lead has changed.
  let owed = false;
  const entered = el => {
    if (!el.name || el.disabled || el.readOnly || el.type === 'hidden') return false;
    if (el.type === 'checkbox' || el.type === 'radio') return el.checked !== el.defaultChecked;
    if (el.options) return el.selectedIndex !== Math.max(0, [...el.options].findLastIndex(o => o.defaultSelected));
    return el.defaultValue !== undefined && el.value !== el.defaultValue;
  };
  // A form that a CRM's frame moved to a separate window is saved there.
  const sent = new WeakSet(); // forms that are being submitted around others
  const begun = form => form.method === 'post' && !sent.has(form) && !$('.beside.yours', form) && (form.dataset.rowsChanged !== undefined ||
    $('[aria-invalid="true"], [role="alert"]', form) || [...form.elements].some(entered));

  // begunIn lists the forms of a part that the user has started.
  const begunIn = part => $$('form', part).filter(begun);

  // heldIn returns what an update would overwrite in a part, or nothing. An update does
  // not overwrite forms that it contains too.
  function heldIn(part, update) {
    const stays = form => form?.id && form.method === 'post' && update && $('#' + CSS.escape(form.id), update);
    const dialog = $('.dialog:popover-open', part), at = doc.activeElement;
    if (dialog) return $('form', dialog) ?? dialog.lastElementChild;
    if (part.contains(at) && at.matches('input, select, textarea') && !stays(at.form)) return at.form ?? at;
    return begunIn(part).find(form => !stays(form));
  }

  // Announces an update to screen readers.
  function sayNews(...texts) {
    const said = doc.getElementById('said'), text = texts.filter(Boolean).join(' ');
    if (said && text) said.textContent = text;
  }

  function sayChanged(part, beside, news) {
    if ($('#lead-changed', part)) return sayNews(news);
    const note = doc.createElement('div'), text = doc.createElement('div'), title = doc.createElement('b'), line = doc.createElement('p');
    const link = doc.createElement('a'), acts = doc.createElement('div');
    note.id = 'lead-changed';
    note.className = 'note yours';
    title.textContent = 'This lead has changed.';
    line.textContent = (news ? news + ' ' : '') + 'Loading the latest version clears this form.';
    link.className = 'btn';
    link.href = part.getAttribute('hx-get');
    link.textContent = 'Load latest version';
    acts.className = 'acts';
    text.append(title, line);
    acts.append(link);
    note.append(text, acts);
    beside.before(note);
    sayNews(title.textContent, news);
  }

  // What opened with the page or an update has the focus once; later updates do not move it there again.
  on('htmx:before:swap', () => $$('[autofocus]').forEach(el => el.removeAttribute('autofocus')), true);

  const updateIn = tasks => tasks.map(t => $('#lead', t.fragment)).find(Boolean);
  const isNewer = (part, update) => Number(update?.dataset.revision) > Number(part.dataset.revision);

  let kept = []; // forms that the current update skips, and whether to report it
  on('htmx:before:swap', e => {
    const {ctx, tasks} = e.detail, part = ctx.sourceElement;
    if (part?.id !== 'lead' || ctx.target !== part) return;
    const update = updateIn(tasks), held = heldIn(part, update);
    if (!held) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (!isNewer(part, update)) return;
    owed = true;
    sayChanged(part, held, update.dataset.news);
    part.setAttribute('hx-headers', update.getAttribute('hx-headers')); // what was said is not said again
  }, true);
  // On the window, so that a response that app.js refuses as late marks no form: without a
  // swap, nothing would remove the mark.
  addEventListener('htmx:before:swap', e => {
    const {ctx, tasks} = e.detail, part = ctx.sourceElement;
    if (e.defaultPrevented || part?.id !== 'lead' || ctx.target !== part) return;
    const newer = isNewer(part, updateIn(tasks));
    const at = doc.activeElement, said = $('#lead-changed', part);
    kept = begunIn(part).map(form => ({form, say: newer || said?.nextElementSibling === form}));
    if (part.contains(at) && at.form && !kept.some(k => k.form === at.form)) kept.push({form: at.form, say: newer});
    // The skipped forms are those of an earlier state of the lead.
    if (newer && kept.length) owed = true;
    for (const k of kept) {
      k.mine = !k.form.hasAttribute('hx-morph-skip');
      k.form.setAttribute('hx-morph-skip', '');
    }
  });
  on('htmx:after:swap', e => {
    const news = e.detail.ctx.target?.id === 'lead' && $('#lead')?.dataset.news;
    if (!kept.some(k => k.say)) sayNews(news);
    for (const k of kept) {
      if (k.mine) k.form.removeAttribute('hx-morph-skip');
      const part = k.form.closest('#lead');
      if (k.say && part) sayChanged(part, k.form, news);
    }
    kept = [];
  });

  // The address shows what the offers were asked for, so that a reload and Back show it again.
  on('htmx:after:request', ({detail: {ctx}}) => {
    const address = ctx.response?.headers.get('HX-Replace-Url');
    if (address) history.replaceState(history.state, '', address);
  });

  // Submitting one form keeps what the user has started in the others: the form is sent in
  // the background, and its response updates the page around them. A frame of a CRM submits
  // in its own way, and what is revealed of a borrower has its own page.
  on('submit', e => {
    const form = e.target, part = $('#lead[data-live]');
    if (e.defaultPrevented || doc.documentElement.dataset.host || !part?.contains(form) || form.method !== 'post') return;
    if (form.matches('[hx-post]') || /\/(reveal|contact|clone|loan-file|borrower-link)$/.test(form.action)) return;
    if (!begunIn(part).some(other => other !== form)) return;
    e.preventDefault();
    const body = new URLSearchParams(new FormData(form, e.submitter)), address = form.getAttribute('action');
    const ours = ctx => ctx.sourceElement === part && ctx.request.action === address && ctx.request.method === 'POST';
    const request = ({detail: {ctx}}) => { if (ours(ctx)) ctx.request.body = body; };
    const response = r => {
      const {ctx} = r.detail, next = ours(ctx) && ctx.response.headers.get('HX-Redirect');
      sent.add(form);
      if (!next || next !== part.getAttribute('hx-get') && !/\/operations\/[^/]+$/.test(next)) return;
      // It went to the same page, or to a receipt, which the updated page links to.
      r.preventDefault();
      form.reset();
      setTimeout(() => part.dispatchEvent(new CustomEvent('live')));
    };
    const done = ({detail: {ctx}}) => {
      if (!ours(ctx)) return;
      part.removeAttribute('hx-sync');
      doc.removeEventListener('htmx:before:request', request);
      doc.removeEventListener('htmx:before:response', response);
      doc.removeEventListener('htmx:finally:request', done);
      for (const el of [form, e.submitter]) el?.removeAttribute('aria-busy');
      setTimeout(() => sent.delete(form), 1000);
    };
    doc.activeElement?.blur();
    form.removeAttribute('hx-morph-skip');
    doc.addEventListener('htmx:before:request', request);
    doc.addEventListener('htmx:before:response', response);
    doc.addEventListener('htmx:finally:request', done);
    // An update of the part may be under way. Then this request waits for it, and the promise
    // is resolved before it is sent.
    part.setAttribute('hx-sync', 'queue all');
    htmx.ajax('POST', address, {source: part, target: part, swap: 'outerMorph', headers: {'Session-Renew': 'yes'}});
  });

  // Adding or removing a row counts as typing.
  on('click', e => {
    const form = e.target.closest?.('[data-row-add], [data-row-remove]')?.closest('form');
    if (form) form.dataset.rowsChanged = '';
  }, true);

  const typedIn = new Set(); // forms that app.js keeps from updates because of what was typed in them
  on('input', e => {
    const form = e.target.form;
    if (form && !form.hasAttribute('hx-morph-skip')) typedIn.add(form);
  }, true);
  // release runs after its event has taken effect.
  const release = () => setTimeout(() => {
    const part = $('#lead[data-live]');
    if (!part || heldIn(part)) return;
    $('#lead-changed', part)?.remove();
    for (const form of typedIn) form.removeAttribute('hx-morph-skip');
    typedIn.clear();
    if (!owed) return;
    owed = false;
    part.dispatchEvent(new CustomEvent('live'));
  });
  for (const type of ['focusout', 'input', 'htmx:after:swap']) on(type, release);
  on('toggle', release, true);

  // Adds up the debts to pay off as they are chosen, from the balances on the page.
  function addUp() {
    const sum = $('.debts-total output');
    if (!sum) return;
    const cents = $$('.debts tr:has(:checked) .num', sum.closest('form')).map(td => Math.round(td.textContent.replace(/[$,]/g, '') * 100));
    const known = cents.filter(c => !Number.isNaN(c)), total = known.reduce((a, b) => a + b, 0) / 100, n = cents.length;
    const amount = '$' + total.toLocaleString('en-US', {minimumFractionDigits: total % 1 ? 2 : 0, maximumFractionDigits: 2});
    const text = n === 0 ? 'no debts chosen' : `${n} ${n === 1 ? 'debt' : 'debts'}, ` +
      (known.length === n ? amount : known.length ? `${amount} and unknown balances` : 'unknown');
    if (text !== sum.textContent) sum.textContent = text;
  }
  for (const type of ['change', 'htmx:after:swap']) on(type, addUp);
  addUp();

  // ---- the offers ---------------------------------------------------------

  // The bar shows the chosen offer at once; the server renders the same sentence. Without
  // the figures that the controls ask for, nothing is selected.
  const figures = () => doc.getElementById('strip');
  function showSentence(sentence) {
    const text = $('[data-sentence-text]'), sent = $('[data-sentence-sent]');
    if (!text || !sent) return;
    sent.value = sentence;
    text.textContent = sentence || text.dataset.prompt;
  }
  on('change', e => {
    if (e.target.dataset?.sentence !== undefined) {
      showSentence(e.target.dataset.sentence);
      // The panel beside the grid has the figures of the former offer until the response.
      figures()?.setAttribute('aria-busy', 'true');
    }
    // Controls in the bar that belong to the selection are outside the part that asks.
    if (e.target.form?.id === 'select' && e.target.closest('.control-bar')) {
      doc.getElementById('selection')?.dispatchEvent(new Event('change', {bubbles: true}));
    }
  });
  let outdated = false;
  on('input', e => {
    outdated ||= !!e.target.closest?.('#payoffs, .control-bar') && !/^(rateType|originationFee)$/.test(e.target.name);
  });
  on('submit', e => {
    if (!outdated || e.target.id !== 'select' || e.submitter?.hasAttribute('formaction')) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    announce('The figures are being updated. Read them, then select the offer.');
    doc.getElementById('selection')?.dispatchEvent(new Event('change', {bubbles: true}));
  }, true);
  function announce(text) {
    const said = doc.getElementById('said');
    if (said) said.textContent = text;
  }

  // While an answer about the offers is under way, updates of the lead wait: app.js would
  // drop the answer as older than what is displayed. An answer that never ends is not
  // waited for longer than this.
  const waitingFor = new Set(), longest = 20000;
  function setBusy() {
    const part = doc.getElementById('offers');
    if (waitingFor.size) part?.setAttribute('aria-busy', 'true');
    else part?.removeAttribute('aria-busy');
  }
  const settled = ctx => {
    if (!waitingFor.delete(ctx)) return;
    setBusy();
    if (!waitingFor.size) figures()?.removeAttribute('aria-busy');
  };
  addEventListener('htmx:before:request', e => {
    const {ctx} = e.detail;
    if (e.defaultPrevented || ctx.target?.id !== 'offers') return;
    waitingFor.add(ctx);
    setBusy();
    setTimeout(settled, longest, ctx);
  });
  on('htmx:after:swap', setBusy);
  on('htmx:finally:request', e => settled(e.detail.ctx));

  // A quote replaces the offers, but not the place in the grid; the debts stay open.
  const radios = () => $$('#offers-grid tbody tr').map(row => $$('td', row).map(cell => $('input[type="radio"]', cell)));
  function placeOf(radio) {
    const rows = radios(), row = rows.findIndex(cells => cells.includes(radio));
    return row < 0 ? null : {row, column: rows[row].indexOf(radio)};
  }
  let place, planning;
  on('htmx:before:swap', e => {
    if (e.detail.ctx.target?.id !== 'offers') return;
    const debts = doc.getElementById('payoffs');
    place = placeOf(doc.activeElement);
    planning = debts && (!debts.hasAttribute('popover') || debts.matches(':popover-open'));
  });
  on('htmx:after:swap', e => {
    if (e.detail.ctx.target?.id !== 'offers') return;
    const debts = doc.getElementById('payoffs');
    outdated = false;
    if (planning && debts?.hasAttribute('popover') && !debts.matches(':popover-open')) debts.showPopover();
    if (place && doc.activeElement === doc.body) radios()[place.row]?.[place.column]?.focus({preventScroll: true});
    place = planning = null;
  });

  // A page whose rates are not the lender's for the displayed figures requests these
  // immediately, and again if the response to another request arrived in between. A
  // question that was answered on this page is not asked again.
  const answered = new Set();
  const question = form => [...new FormData(form)].filter(([name]) => !/^(pin|rateType|offer.offerUuid)$/.test(name)).join();
  function askDue() {
    const form = $('#quote[data-due][data-htmx-powered]');
    if (!form) return;
    delete form.dataset.due;
    if (answered.has(question(form))) return $('[data-needs-script]', form)?.remove();
    form.dispatchEvent(new CustomEvent('quote'));
  }
  on('htmx:after:init', e => { if (e.target.id === 'quote') setTimeout(askDue); });
  on('htmx:after:swap', e => {
    const {target, sourceElement} = e.detail.ctx, form = $('#quote');
    if (form && sourceElement?.id === 'quote') {
      answered.add(question(form));
      // The borrower confirmed the figures that the quote has replaced.
      for (const box of $$('[name="confirm.offer"]')) box.checked = false;
    }
    if (target?.id === 'offers') {
      // These checkboxes follow the response, even if the user changed them before.
      for (const box of $$('#quote [type="checkbox"], [name="offer.selectedDiscounts"][type="checkbox"]')) box.checked = box.defaultChecked;
    }
    askDue();
  });
  askDue();
})();
