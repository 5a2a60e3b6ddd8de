// desk.js: beside the frame. Accepts messages only from Hearthline, and only version 1.
const portal = 'https://desk.example';
const desk = document.querySelector('iframe[name="desk"]'), launch = document.getElementById('launch');

addEventListener('message', async event => {
  if (event.origin !== portal || event.source !== desk.contentWindow || event.data?.v !== 1) return;
  switch (event.data.type) {
    case 'portal.resize': desk.style.height = event.data.h + 'px'; break;
    case 'portal.changed': dispatchEvent(new Event('record-changed')); break; // refresh your card
    case 'portal.expired': // sign another token on your server, once for each message
      launch.launch_token.value = await (await fetch('/launch-token' + location.search, { method: 'POST' })).text();
      launch.submit();
  }
});
launch.submit();
