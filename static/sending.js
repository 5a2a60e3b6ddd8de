// While the lender is unreachable, buttons that send something are disabled and say so. A
// part of every page, which is fetched again when that changes, says which of both it is.
// This also reaches forms that updates skip because the user has edited them.
(() => {
  'use strict';
  function pause() {
    const paused = document.getElementById('lender')?.dataset.paused;
    for (const button of document.querySelectorAll('[data-sends]')) {
      const label = button.querySelector('[data-label]');
      button.disabled = paused !== undefined;
      if (label) label.textContent = paused ?? button.dataset.sends;
    }
  }
  document.addEventListener('htmx:after:swap', pause);
})();
