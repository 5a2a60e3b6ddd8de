// launch.mjs: sign a launch token. Node 18 or later, no packages.
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

// One key, read at the start. It never leaves your server.
const key = createPrivateKey(readFileSync(process.env.LAUNCH_KEY_FILE));
const part = value => Buffer.from(JSON.stringify(value)).toString('base64url');

// client: { keyId, issuer, address }, as the portal's administrator entered them; address is
// https://desk.example/launch/jwt/acme. person and record come from your own session and
// database, never from what a browser sends.
export function launchToken(client, person, record) {
  const now = Math.floor(Date.now() / 1000);
  const signed = part({ alg: 'EdDSA', typ: 'launch+jwt', kid: client.keyId }) + '.' + part({
    iss: client.issuer,
    aud: client.address,
    sub: person.id,
    jti: randomUUID(),
    iat: now,
    exp: now + 60,
    name: person.name,
    email: person.email,
    origin: record.pageOrigin,
    record: { type: record.type, id: record.id },
    prefill: record.prefill,
  });
  return signed + '.' + sign(null, Buffer.from(signed), key).toString('base64url');
}
