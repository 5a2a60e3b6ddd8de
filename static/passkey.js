// Buttons that ask the browser for a passkey, or to create one:
//
//   <button data-passkey="get|create" data-options="/…/options" data-into="credential" hidden>
//
// The button is visible if the browser supports passkeys. The result goes into the
// control named by data-into, and the form around the button is submitted normally.
//
// A button with data-now asks as soon as the page is there.
//
// A button with data-offer is next to a control whose autocomplete ends in webauthn: the
// browser offers passkeys there when the user is about to type. A challenge lasts ten
// minutes, so a new one is requested after eight, as soon as the page is visible.
(() => {
  'use strict';
  const doc = document, can = window.PublicKeyCredential;
  // A new account uses the browser's time zone.
  for (const el of doc.querySelectorAll('[data-zone]')) el.value = Intl.DateTimeFormat().resolvedOptions().timeZone || '';
  if (!can?.parseRequestOptionsFromJSON) return;
  const buttons = [...doc.querySelectorAll('[data-passkey]')];

  let offered, until = 0;

  async function ask(button, mediation) {
    offered?.abort();
    const {signal} = offered = new AbortController();
    const create = button.dataset.passkey === 'create', form = button.form;
    const answer = await fetch(button.dataset.options, {signal, method: 'POST', mode: 'same-origin', headers: {'HX-Request': 'true', 'HX-Request-Type': 'partial'}});
    if (!answer.ok || !answer.headers.get('Content-Type')?.startsWith('application/json')) throw new Error('options: ' + answer.status);
    const options = await answer.json();
    const credential = create
      ? await navigator.credentials.create({publicKey: can.parseCreationOptionsFromJSON(options)})
      : await navigator.credentials.get({publicKey: can.parseRequestOptionsFromJSON(options), signal, mediation});
    form.elements[button.dataset.into].value = JSON.stringify(credential.toJSON());
    form.submit();
  }

  const lasts = 480000;
  async function offer() {
    const button = buttons.find(b => b.dataset.offer != null);
    if (!button || doc.hidden || Date.now() < until || button.getAttribute('aria-busy')) return;
    until = Date.now() + lasts;
    setTimeout(offer, lasts);
    try {
      if (await can.isConditionalMediationAvailable?.()) await ask(button, 'conditional');
    } catch { /* the button is still there */ }
  }
  for (const type of ['visibilitychange', 'focusin']) doc.addEventListener(type, offer);
  addEventListener('pageshow', offer);

  for (const button of buttons) {
    for (const part of doc.querySelectorAll('[data-with-passkey]')) part.hidden = false;
    for (const part of doc.querySelectorAll('[data-without-passkey]')) part.hidden = true;
    doc.querySelector('[data-after-passkey]')?.classList.remove('pri');
    button.hidden = false;
    button.addEventListener('click', async () => {
      if (button.getAttribute('aria-busy')) return;
      button.setAttribute('aria-busy', 'true');
      try {
        await ask(button);
      } catch {
        button.removeAttribute('aria-busy');
        until = 0;
        const said = doc.querySelector('[data-passkey-said]');
        if (said) said.textContent = 'The passkey wasn’t used. Try again, or use another method.';
      }
    });
    if (button.dataset.now != null) button.click();
  }
})();
