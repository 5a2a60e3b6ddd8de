// Selected rows of a list: the number is announced, and one checkbox selects all of the page.
// Rows are ordinary checkboxes, and their number is counted in CSS, so this adds comfort only.
(() => {
  'use strict';
  const picks = () => [...document.querySelectorAll('.pick')];
  const all = () => document.querySelector('[data-pick-all]');

  function count() {
    const box = all(), rows = picks(), chosen = rows.filter(el => el.checked).length;
    if (box) {
      box.checked = chosen > 0 && chosen === rows.length;
      box.indeterminate = chosen > 0 && chosen < rows.length;
    }
    return chosen;
  }

  // All leads of the list, also those on other pages.
  function announceAll(box) {
    const said = document.getElementById('said');
    if (said) said.textContent = box.checked ? box.labels[0].textContent.trim() + ': selected' : count() + ' selected';
  }

  document.addEventListener('change', e => {
    if (e.target.matches?.('.picked [name="match"]')) return announceAll(e.target);
    if (e.target === all()) for (const el of picks()) el.checked = e.target.checked;
    else if (!e.target.matches?.('.pick')) return;
    const every = document.querySelector('.picked [name="match"]');
    if (every && picks().some(el => !el.checked)) every.checked = false;
    const said = document.getElementById('said');
    if (said) said.textContent = count() + ' selected';
  });
  // A reset changes the boxes only after its event.
  document.addEventListener('reset', () => setTimeout(count));
  document.addEventListener('htmx:after:swap', count);
  count();
})();
