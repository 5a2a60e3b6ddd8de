// <time data-relative="for|ago|due" datetime="…">: texts about an instant stay true while the
// page is open, by the rules of the server and on its clock. Nothing is requested.
(() => {
  'use strict';
  const minute = 60, hour = 3600, day = 86400;
  // How far the browser's clock is ahead of the server's. The server states its time just before it responds; what the page
  // takes to load after that must not count.
  const arrived = performance.timeOrigin + (performance.getEntriesByType('navigation')[0]?.responseStart ?? 0);
  const ahead = arrived - (Number(document.documentElement.dataset.now) || arrived);

  function duration(sec) {
    if (sec < minute) return Math.max(1, Math.floor(sec)) + ' sec';
    if (sec < 90 * minute) return Math.floor(sec / minute) + ' min';
    if (sec < 36 * hour) return Math.round(sec / hour) + ' hr';
    return Math.round(sec / day) + ' days';
  }

  const texts = {
    for: sec => duration(sec),
    ago: sec => sec < 2 ? 'just now' : duration(sec) + ' ago',
    due: sec => sec <= 0 ? 'due in ' + duration(-sec) : 'due ' + duration(sec) + ' ago',
  };

  function update() {
    if (document.hidden) return;
    const now = Date.now() - ahead;
    for (const el of document.querySelectorAll('time[data-relative]')) {
      const text = texts[el.dataset.relative]?.((now - Date.parse(el.dateTime)) / 1000);
      if (text && text !== el.textContent) el.textContent = text;
    }
  }

  setInterval(update, 5000);
  document.addEventListener('visibilitychange', update);
})();
