// What was typed but not sent when a session ends is saved until the next sign-in; a
// draft is saved as a draft. An SSN or a password is never sent for this.
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
