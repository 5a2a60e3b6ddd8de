// The palette: a dialog that finds leads, people, pages and actions. htmx posts what is
// typed and fills the list; this script opens the dialog and moves between the results.
// The focus stays in the field, as in every combobox.
(() => {
  'use strict';
  const doc = document, box = doc.querySelector('#palette');
  if (!box?.showModal) return;
  const form = box.querySelector('form'), field = form.elements.q, list = box.querySelector('#palette-results');
  const failed = box.querySelector('[data-failed]'), count = box.querySelector('[role="status"]');
  const pageLead = form.elements.lead.value;
  const options = () => [...list.querySelectorAll('[role="option"]')];
  const chosen = () => list.querySelector('[aria-selected="true"]');
  let asked = null; // the text of the displayed results; null while there are none
  let opening = false; // Enter was pressed before the results arrived
  const sent = new WeakMap(); // the text of each request: an earlier one may still be answered when the next is sent

  if (/Mac|iPhone|iPad/.test(navigator.platform)) {
    for (const key of doc.querySelectorAll('[data-palette] kbd')) key.textContent = '⌘ K';
  }

  function show() {
    if (box.open) return;
    for (const el of doc.querySelectorAll('dialog[open]')) el.close();
    // In a list, the actions are those of the lead that has the focus.
    form.elements.lead.value = doc.activeElement?.closest('[data-row-of]')?.dataset.rowOf || pageLead;
    box.showModal();
    field.focus();
    form.dispatchEvent(new CustomEvent('ask'));
  }

  // Names do not stay in a closed dialog.
  box.addEventListener('close', () => {
    field.blur();
    field.value = count.textContent = '';
    list.replaceChildren();
    asked = null;
    opening = false;
    mark();
  });

  function mark(option) {
    chosen()?.setAttribute('aria-selected', 'false');
    field.setAttribute('aria-expanded', String(options().length > 0));
    if (!option) return field.removeAttribute('aria-activedescendant');
    option.setAttribute('aria-selected', 'true');
    field.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({block: 'nearest'});
  }

  function move(by) {
    const all = options(), at = all.indexOf(chosen());
    if (all.length) mark(all[(at + by + all.length) % all.length]);
  }

  function follow() {
    if (asked !== field.value) {
      opening = true;
      return form.dispatchEvent(new CustomEvent('ask'));
    }
    chosen()?.click();
  }

  doc.addEventListener('keydown', e => {
    if (e.key?.toLowerCase() !== 'k' || e.altKey || e.shiftKey || e.ctrlKey === e.metaKey) return;
    e.preventDefault();
    show();
  });
  doc.addEventListener('click', e => {
    if (e.target.closest?.('[data-palette]')) show();
    if (e.target.closest?.('dialog [data-close]')) e.target.closest('dialog').close();
    // outside: the dialogs have no padding, so only their backdrop is the target itself
    if (e.target.matches?.('dialog[open]')) e.target.close();
  });
  doc.addEventListener('palette', show);

  box.addEventListener('keydown', e => {
    if (e.isComposing || e.target !== field) return;
    const by = {ArrowDown: 1, ArrowUp: -1}[e.key];
    if (by) {
      e.preventDefault();
      move(by);
    }
  });
  form.addEventListener('submit', e => {
    e.preventDefault();
    e.stopPropagation();
    follow();
  });
  list.addEventListener('mousemove', e => {
    const option = e.target.closest('[role="option"]');
    if (option && option !== chosen()) mark(option);
  });

  // A link within the page leaves the dialog too. The list is emptied after the click.
  list.addEventListener('click', e => { if (e.target.closest('a') && !e.ctrlKey && !e.metaKey && !e.shiftKey) box.close(); });

  const ours = e => e.detail.ctx?.sourceElement === form;
  doc.addEventListener('htmx:before:request', e => { if (ours(e)) sent.set(e.detail.ctx, field.value); });
  doc.addEventListener('htmx:after:swap', e => {
    if (!ours(e)) return;
    failed.hidden = true;
    asked = sent.get(e.detail.ctx);
    if (!box.open) return list.replaceChildren();
    mark(options()[0]);
    const n = options().length;
    count.textContent = n === 0 ? 'Nothing found' : n === 1 ? '1 result' : n + ' results';
    if (opening && asked === field.value) follow();
  });
  const fail = e => {
    if (!ours(e)) return;
    if (e.detail.ctx.response?.status === 401) return location.reload();
    failed.hidden = opening = false;
  };
  doc.addEventListener('htmx:response:error', fail);
  doc.addEventListener('htmx:error', fail);
})();
