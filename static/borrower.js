// On the page that an originator shows the borrower, Escape goes back to the offers. A shared page
// has no way back.
document.addEventListener('keydown', e => {
  if (e.key === 'Escape' && !e.defaultPrevented) document.querySelector('[data-back]')?.click();
});
