// What is typed and not sent when a session ends waits behind the log-in; a draft waits
// where drafts do. An SSN or a password never leaves the page for this.
document.addEventListener('ending', () => {
  'use strict';
  const form = document.querySelector('form[hx-morph-skip]:not([data-autosave])');
  const address = document.documentElement.dataset.held;
  if (!form || !address) return;
  const body = new URLSearchParams({'held.address': form.getAttribute('action')});
  for (const [name, value] of new FormData(form)) {
    const secret = /ssn$|^password/i.test(name) || form.elements[name]?.dataset?.secret != null;
    if (typeof value === 'string' && !secret) body.append(name, value);
  }
  const headers = {'HX-Request': 'true', 'HX-Request-Type': 'full', 'Session-Renew': 'no'};
  fetch(address, {method: 'POST', mode: 'same-origin', keepalive: true, headers, body}).catch(() => {});
});
