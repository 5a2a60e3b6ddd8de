// verify-event.mjs: verify an event. Node 18 or later, no packages.
import { createHmac, timingSafeEqual } from 'node:crypto';

// headers: of the request, by lowercase name. body: the bytes as received, before any parsing.
// secrets: whsec_…, the current one and, while you replace it, the next one.
export function verifyEvent(headers, body, secrets) {
  const id = headers['webhook-id'], time = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - time) < 300)) return false;
  const expected = secrets.map(s => Buffer.from('v1,' + createHmac('sha256', Buffer.from(s.slice(6), 'base64'))
    .update(`${id}.${time}.`).update(body).digest('base64')));
  return headers['webhook-signature'].split(' ').map(s => Buffer.from(s))
    .some(s => expected.some(e => e.length === s.length && timingSafeEqual(e, s)));
}
