// The sums of a loan file's review follow its checkboxes.
document.addEventListener('change', e => {
  const table = e.target.closest?.('.rev');
  for (const sum of table?.parentElement.querySelectorAll('[data-sum]') || []) {
    let cents = 0;
    for (const box of table.querySelectorAll(`[data-adds="${sum.dataset.sum}"]:checked`)) cents += +box.dataset.cents;
    sum.textContent = (cents / 100).toLocaleString('en-US', {style: 'currency', currency: 'USD'}).replace('.00', '');
  }
});
