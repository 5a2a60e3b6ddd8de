// data-hide-after="300": what stands open of a borrower is emptied after so many
// seconds, also when the machine slept through them; the part around it then fetches
// itself as it is. A file of its own, because nobody is signed in on the first page.
(() => {
  'use strict';
  let timer;

  function hideLate() {
    const el = document.querySelector('[data-hide-after]');
    if (!el) return;
    const at = el.hideAt ||= Date.now() + 1000 * el.dataset.hideAfter;
    clearTimeout(timer);
    if (Date.now() < at) {
      timer = setTimeout(hideLate, at - Date.now());
      return;
    }
    el.replaceChildren('Hidden again.');
    el.removeAttribute('hx-morph-skip');
    delete el.dataset.hideAfter;
    el.closest('[data-live]')?.dispatchEvent(new CustomEvent('live'));
  }

  document.addEventListener('visibilitychange', hideLate);
  document.addEventListener('htmx:after:swap', hideLate);
  hideLate();
})();
