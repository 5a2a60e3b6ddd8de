// The controls of the offers. In the grid, the arrow keys move and choose, as in any group of
// options, but by rows and columns. Enter selects the chosen offer, which the bar shows as
// a sentence.
(() => {
  'use strict';
  const doc = document, offer = '#offers-grid [name="offer.offerUuid"]';
  const radios = () => [...doc.querySelectorAll(offer)];

  function next(radio, key) {
    const cell = radio.closest('td'), row = cell.parentElement, rows = [...row.parentElement.rows];
    const [down, right] = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1]}[key];
    for (let r = rows.indexOf(row) + down, c = cell.cellIndex + right; rows[r]?.cells[c]; r += down, c += right) {
      const found = rows[r].cells[c].querySelector(offer);
      if (found) return found;
    }
    return radio;
  }

  // One offer is in the tab order: the one that had the focus last, or the chosen one.
  function rove(radio) {
    const all = radios(), to = radio ?? all.find(el => el === doc.activeElement) ?? all.find(el => el.checked) ?? all[0];
    for (const el of all) el.tabIndex = el === to ? 0 : -1;
    return to;
  }
  doc.addEventListener('focusin', e => { if (e.target.matches(offer)) rove(e.target); });
  doc.addEventListener('htmx:after:swap', () => rove());

  function choose(radio) {
    radio.focus();
    if (!radio.checked) radio.click();
  }
  // Nothing is selected that the bar does not show: without its sentence or its button, the page says why.
  function select(form) {
    const button = form.querySelector('[data-sends].pri'), sentence = form.querySelector('[data-sentence-sent]');
    if (sentence.value && button?.offsetParent && !button.disabled) return form.requestSubmit(button);
    doc.getElementById('said').textContent = (form.querySelector('#why-not') ?? form.querySelector('[data-sentence-text]')).textContent;
  }

  doc.addEventListener('keydown', e => {
    const el = e.target;
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || !el.closest?.('#offers-grid')) return;
    const inGrid = el.matches(offer);
    if (e.key === 'p' && doc.documentElement.dataset.keys !== undefined) el.closest('td')?.querySelector('[name="pin"]')?.click();
    else if (inGrid && /^Arrow/.test(e.key)) choose(next(el, e.key));
    else if (inGrid && e.key === 'Enter') el.checked ? select(el.form) : choose(el);
    else return;
    e.preventDefault();
  });

  const first = rove();
  if (location.hash === '#choose') first?.focus();

  // A slider and its amount field stay equal; the amount field is submitted. An amount that loses the focus is grouped.
  doc.addEventListener('input', e => {
    const range = e.target.closest?.('[data-range-for]');
    const field = range ? doc.getElementById(range.dataset.rangeFor) : e.target;
    if (range && field) {
      field.value = range.value;
      field.dispatchEvent(new Event('focusout', {bubbles: true}));
      range.setAttribute('aria-valuetext', '$' + field.value);
    } else if (field?.matches?.('[data-money]')) {
      const slider = doc.querySelector(`[data-range-for="${field.id}"]`), amount = Number(field.value.replace(/[$,\s]/g, ''));
      if (slider && amount) slider.value = amount;
    }
  });

  // The borrower agreed to a different offer or amount: ask for confirmation again.
  doc.addEventListener('input', e => {
    const word = e.target.closest?.('#quote, .cell, #payoffs') && doc.querySelector('[name="confirm.offer"]');
    if (word) word.checked = false;
  });
})();
