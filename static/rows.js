// data-rows, data-row-add, data-row-remove: repeated groups of fields.
(() => {
  'use strict';
  const doc = document, $ = (sel, from = doc) => from.querySelector(sel), $$ = (sel, from) => [...from.querySelectorAll(sel)];

  // The names of a repeated group's fields contain an index. Indexes may have gaps: the
  // server drops empty rows and reads the others in order.
  function addRow(button, e) {
    const rows = doc.getElementById(button.dataset.rowAdd), pattern = rows && $('template', rows);
    if (!pattern) return;
    e.preventDefault();
    const next = 1 + Math.max(-1, ...$$('[data-row]', rows).map(r => Number(r.dataset.row)));
    const row = pattern.content.firstElementChild.cloneNode(true);
    for (const el of [row, ...$$('*', row)]) {
      for (const attr of [...el.attributes]) attr.value = attr.value.replaceAll('__i__', next);
    }
    pattern.before(row);
    countRows(rows);
    $('input, select', row)?.focus();
  }

  function removeRow(button, e) {
    const row = button.closest('[data-row]'), rows = row?.closest('[data-rows]');
    if (!rows) return;
    e.preventDefault();
    const heir = $('input, select', row.nextElementSibling ?? row) || $(`[data-row-add="${rows.id}"]`);
    row.remove();
    countRows(rows);
    (heir?.isConnected ? heir : $(`[data-row-add="${rows.id}"]`))?.focus();
    rows.dispatchEvent(new Event('input', {bubbles: true}));
  }

  const ordinal = n => n + (['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] || 'th');
  const countRows = rows => $$('[data-nth]', rows).forEach((el, i) => { el.textContent = ordinal(i + 1); });

  doc.addEventListener('click', e => {
    const add = e.target.closest?.('[data-row-add]'), remove = e.target.closest?.('[data-row-remove]');
    if (add) addRow(add, e);
    if (remove) removeRow(remove, e);
  });
})();
