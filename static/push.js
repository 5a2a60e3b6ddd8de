// The notification settings: [data-push] turns notifications on and off in this browser.
// Its value is the portal's key, and data-known lists the digests of the browsers that are
// on. Parts with data-push-state are visible in the states that they list.
//
// A form with data-unsaved says how many of its choices differ from what was saved. Its last part has the buttons, and is
// hidden while none does, unless the form was rejected.
(() => {
  'use strict';
  const doc = document, panel = doc.querySelector('[data-push]');

  const form = doc.querySelector('[data-unsaved]'), said = form?.querySelector('[data-unsaved-text]');
  const rejected = !!doc.querySelector('.told .err, .told [aria-invalid]');
  const changed = () => {
    const names = new Set();
    for (const c of form.elements) {
      if (c.type === 'radio' ? c.checked && !c.defaultChecked : c.type === 'checkbox' ? c.checked !== c.defaultChecked
        : c.options && ![...c.options].find(o => o.selected)?.defaultSelected) names.add(c.name);
    }
    form.lastElementChild.hidden = !names.size && !rejected;
    said.textContent = names.size ? names.size === 1 ? '1 change not saved' : names.size + ' changes not saved' : '';
  };
  form?.addEventListener('change', changed);
  form?.addEventListener('reset', () => setTimeout(changed));
  if (form) addEventListener('pageshow', changed); // the browser may restore choices

  if (!panel?.dataset.push) return;
  const show = state => {
    for (const part of panel.querySelectorAll('[data-push-state]')) {
      part.hidden = !part.dataset.pushState.split(' ').includes(state);
    }
  };
  const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
  const base64 = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const digest = async s => base64(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(s.endpoint)));
  // Only this script may name a worker, and only this one.
  const policy = window.trustedTypes?.createPolicy('worker', {createScriptURL: () => '/sw.js'});
  const worker = async () => {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL('') : '/sw.js', {scope: '/'});
    return navigator.serviceWorker.ready;
  };
  const [on, off] = [...panel.querySelectorAll('form')];

  async function start() {
    if (!navigator.serviceWorker || !window.PushManager || !window.Notification || !window.crypto?.subtle) return show('unsupported');
    if (Notification.permission === 'denied') return show('denied');
    const subscription = await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription();
    const id = subscription && await digest(subscription);
    if (!id || !panel.dataset.known.split(' ').includes(id) || Notification.permission !== 'granted') return show('off');
    off.elements.browser.value = id;
    show('on');
  }

  on.addEventListener('submit', async e => {
    e.preventDefault();
    try {
      if (await Notification.requestPermission() !== 'granted') return show(Notification.permission === 'denied' ? 'denied' : 'off');
      const {pushManager} = await worker();
      // A subscription of another key cannot be used.
      await (await pushManager.getSubscription())?.unsubscribe();
      const s = await pushManager.subscribe({userVisibleOnly: true, applicationServerKey: bytes(panel.dataset.push)});
      on.elements.endpoint.value = s.endpoint;
      on.elements.p256dh.value = base64(s.getKey('p256dh'));
      on.elements.auth.value = base64(s.getKey('auth'));
      on.submit();
    } catch {
      show('failed');
    }
  });

  // The portal forgets the browser even if the browser keeps its subscription.
  off.querySelector('[data-push-off]').addEventListener('click', async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    (await registration?.pushManager.getSubscription())?.unsubscribe();
  });

  start().catch(() => show('failed'));
})();
