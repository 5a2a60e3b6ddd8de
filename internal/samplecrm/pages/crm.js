// Keeps the parts of a page fresh that have data-live, which is the URL of the page that has them: the page of a
// record when its desk says that something has changed, the other pages every two seconds.
async function refresh() {
  for (const part of document.querySelectorAll('[data-live]')) {
    const r = await fetch(part.dataset.live);
    if (!r.ok) continue;
    const page = new DOMParser().parseFromString(await r.text(), 'text/html');
    const now = (page.getElementById(part.id) ?? page.body).innerHTML;
    if (now === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) && document.activeElement.outerHTML;
    part.innerHTML = now;
    if (focused) [...part.querySelectorAll('a, button')].find(el => el.outerHTML === focused)?.focus();
  }
}
const desk = document.querySelector('hearthline-desk'), frame = document.querySelector('iframe[data-portal]');
desk?.addEventListener('change', refresh);
if (!desk && !frame) setInterval(() => document.hidden || refresh(), 2000);

// What follows is for trying the frame. <hearthline-desk> handles its messages.
const log = document.getElementById('events');
addEventListener('message', e => {
  if (!log || e.data?.v !== 1) return;
  log.textContent = new Date().toLocaleTimeString() + ' ' + JSON.stringify(e.data) + '\n' + log.textContent;
  if (!frame || e.origin !== frame.dataset.portal || e.source !== frame.contentWindow) return;
  if (e.data.type === 'portal.resize') frame.style.height = e.data.h + 'px';
  if (e.data.type === 'portal.changed') refresh();
  if (e.data.type === 'portal.expired') launchAgain();
});
// A launch is good once, so this page asks its own server for another one.
async function launchAgain() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
  const form = page.getElementById('launch');
  if (!form) return frame.src = page.querySelector('iframe').src;
  document.getElementById('launch').replaceWith(document.importNode(form, true));
  document.getElementById('launch').submit();
}
document.getElementById('launch')?.submit();
