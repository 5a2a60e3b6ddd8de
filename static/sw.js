// Displays notifications while no page is open, and opens their page. It handles no requests.
'use strict';

// page returns the address of a page of this portal; anything else is the inbox.
const page = path => {
  const url = new URL(path || '/notifications', self.location.origin);
  return url.origin === self.location.origin ? url.href : self.location.origin + '/notifications';
};

self.addEventListener('push', e => {
  let told = {};
  try {
    told = e.data.json();
  } catch { /* a browser must display something for every message */ }
  e.waitUntil(self.registration.showNotification(told.title || 'Hearthline', {
    body: told.body || '', tag: told.tag || 'hearthline', renotify: true, icon: 'ICON', data: {url: told.url},
  }));
});

self.addEventListener('notificationclick', e => {
  e.notification.close();
  const to = page(e.notification.data?.url);
  e.waitUntil((async () => {
    const windows = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
    const open = windows.find(w => w.frameType === 'top-level' && w.url.split('#')[0] === to);
    return open ? open.focus() : self.clients.openWindow(to);
  })());
});

self.addEventListener('install', () => self.skipWaiting());
