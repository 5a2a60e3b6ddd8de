// The keyboard in the grid of offers: the arrow keys move between the cells, and Enter
// chooses. A move does not choose: every choice asks for new figures.
(() => {
  'use strict';
  const doc = document, offer = '#offers-grid [name="offer.offerUuid"]';
  const radios = () => [...doc.querySelectorAll(offer)];

  function move(radio, key) {
    const cell = radio.closest('td'), row = cell.parentElement, rows = [...row.parentElement.rows];
    const [down, right] = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]}[key];
    for (let r = rows.indexOf(row) + down, c = cell.cellIndex + right; rows[r]?.cells[c]; r += down, c += right) {
      const next = rows[r].cells[c].querySelector(offer);
      if (next) return next.focus();
    }
  }

  // One offer is in the tab order: the one that had the focus last, or the chosen one.
  function rove(radio) {
    const all = radios(), to = radio ?? all.find(el => el === doc.activeElement) ?? all.find(el => el.checked) ?? all[0];
    for (const el of all) el.tabIndex = el === to ? 0 : -1;
    return to;
  }
  doc.addEventListener('focusin', e => { if (e.target.matches(offer)) rove(e.target); });
  doc.addEventListener('htmx:after:swap', () => rove());

  // After the choice, Enter goes to what the selection still needs: its confirmation, then its button.
  const need = form => form.querySelector('[name^="confirm."]:not(:checked)') ?? form.querySelector('button.pri');

  doc.addEventListener('keydown', e => {
    const el = e.target;
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || !el.matches?.(offer + ', #select [name^="confirm."]')) return;
    const inGrid = el.matches(offer);
    if (inGrid && /^Arrow/.test(e.key)) move(el, e.key);
    else if (inGrid && e.key === 'p' && doc.documentElement.dataset.keys !== undefined) el.closest('td').querySelector('[name="pin"]')?.click();
    else if (e.key !== 'Enter' || !el.form) return;
    else if (inGrid && el.checked) need(el.form)?.focus();
    else if (el.checked) el.form.requestSubmit(el.form.querySelector('button.pri'));
    else el.click();
    e.preventDefault();
  });

  const first = rove();
  if (location.hash === '#choose') first?.focus();
})();
