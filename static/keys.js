// Keyboard shortcuts. Keys that type a character work only while the user has them turned
// on: then the document has data-keys with the shortcuts that open a page. A page offers
// its own by marking controls:
//
//   data-item          a link of a list: j and k move the focus between them
//   data-find          the page's search field: /
//   data-do            what to do next: . presses that of the row with the focus, or the first
//   data-key="r"       a control that this key presses, or a field that it focuses
(() => {
  'use strict';
  const doc = document, root = doc.documentElement;
  const $ = (sel, from = doc) => from.querySelector(sel);
  const visible = el => el.checkVisibility?.() ?? el.offsetParent;
  const $$ = (sel, from = doc) => [...from.querySelectorAll(sel)].filter(visible);

  const pages = new Map((root.dataset.keys || '').split(' ').filter(Boolean).map(pair => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  }));
  const on = root.dataset.keys !== undefined;

  // Controls that take characters; checkboxes and radio buttons take none. The field of a
  // dialog that has just closed may keep the focus for a moment; nobody types in it.
  const typing = el => visible(el) && el.closest('input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), select, textarea, [contenteditable]');
  const covered = () => $('dialog[open], [popover]:popover-open');

  // ---- lists ----------------------------------------------------------------

  const rowOf = el => el?.closest?.('tr, li, [data-row-of]');
  function current() {
    const items = $$('[data-item]'), el = doc.activeElement;
    if (items.includes(el)) return el;
    const row = rowOf(el);
    return row && items.find(item => row.contains(item));
  }
  // The row that has the focus stays the one after an update has replaced its link.
  function moveInList(by) {
    const items = $$('[data-item]'), at = items.indexOf(current());
    const next = at < 0 ? items[0] : items[at + by];
    next?.focus();
    return Boolean(next);
  }
  function select() {
    const box = $('input[type="checkbox"]', rowOf(current()) ?? doc.createElement('p'));
    box?.click();
    return Boolean(box);
  }
  function selectAll() {
    const boxes = $$('[data-row-of] input[type="checkbox"]'), all = boxes.every(b => b.checked);
    for (const box of boxes) if (box.checked === all) box.click();
    return boxes.length > 0;
  }

  // ---- the keys -------------------------------------------------------------

  function find() {
    const field = $$('[data-find]')[0];
    if (!field) return doc.dispatchEvent(new CustomEvent('palette'));
    field.focus();
    field.select();
    return true;
  }
  function help() {
    const box = $('#shortcut-dialog');
    for (const el of doc.querySelectorAll('dialog[open]')) el.close();
    box.showModal();
    const body = $('#shortcut-body');
    if (!body.firstElementChild) body.dispatchEvent(new CustomEvent('ask'));
    return true;
  }
  const actions = {
    '/': find, '?': help, j: () => moveInList(1), k: () => moveInList(-1), x: select, X: selectAll, d: () => press('d'), '.': doNext, r: () => press('r'),
  };
  function doNext() {
    const here = $$('[data-do]', rowOf(current()) ?? doc)[0] ?? $$('[data-do]')[0];
    here?.click();
    return Boolean(here);
  }
  function press(key) {
    const el = $$(`[data-key="${key}"]`)[0];
    if (!el) return false;
    if (el.matches('input, select, textarea')) {
      el.focus();
      el.select?.();
    } else el.click();
    return true;
  }
  // A link is followed as if it were pressed, because a CRM's frame handles links itself.
  function open(address) {
    const link = doc.createElement('a');
    link.href = address;
    doc.body.append(link);
    link.click();
    link.remove();
    return true;
  }

  let first = -Infinity; // when g was pressed
  doc.addEventListener('keydown', e => {
    if (e.defaultPrevented || e.isComposing || e.ctrlKey || e.metaKey || e.altKey || typing(e.target) || covered()) return;
    if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && current() && !e.shiftKey) {
      return void (moveInList(e.key === 'ArrowDown' ? 1 : -1) && e.preventDefault());
    }
    if (!on || e.key.length !== 1) return;
    const second = e.timeStamp - first < 1500;
    first = -Infinity;
    if (second && pages.has('g' + e.key)) return void (open(pages.get('g' + e.key)) && e.preventDefault());
    if (e.key === 'g' && !second) return void (first = e.timeStamp);
    if (pages.has(e.key) ? open(pages.get(e.key)) : actions[e.key]?.()) e.preventDefault();
  });

  // A link to a form moves the focus into it.
  function enterForm() {
    const form = doc.getElementById(location.hash.slice(1));
    if (!form?.matches('form')) return;
    form.closest('details')?.setAttribute('open', '');
    $$('input:not([type="hidden"]), select, textarea, button', form).find(el => !el.disabled)?.focus();
  }
  doc.addEventListener('click', e => { if (e.target.closest?.('a[href*="#form-"]')) setTimeout(enterForm); });
  enterForm();

  doc.addEventListener('click', e => {
    if (!e.target.closest?.('[data-open-keys]') || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    help();
  });
})();
