// data-hide-after="300": revealed borrower data is removed after this many seconds, even
// if the machine was asleep; the surrounding part is then fetched again. This is a
// separate file, because the first page that uses it has no signed-in user.
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
    el.replaceChildren('Hidden.');
    el.removeAttribute('hx-morph-skip');
    delete el.dataset.hideAfter;
    el.closest('[data-live]')?.dispatchEvent(new CustomEvent('live'));
  }

  document.addEventListener('visibilitychange', hideLate);
  document.addEventListener('htmx:after:swap', hideLate);
  hideLate();
})();
