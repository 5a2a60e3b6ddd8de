// hearthline.mjs: what a CRM's server needs for Hearthline. Node 20 or later, no packages. Use it as it is; server.mjs
// shows how. It also makes a key and prints its public half, as a JSON Web Key Set:
//   node hearthline.mjs keys launch-key.pem       the file can also have an existing key or a certificate
//   node hearthline.mjs keys certificate.pem k1   with a key ID, for another system that signs with it
import { createHash, createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign,
  timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const part = value => Buffer.from(JSON.stringify(value)).toString('base64url');
const algorithms = { ed25519: ['EdDSA', null], ec: ['ES256', 'sha256'], rsa: ['RS256', 'sha256'] };

function publicKey(pem, kid) {
  const key = createPublicKey(pem).export({ format: 'jwk' });
  return { ...key, kid: kid ?? createHash('sha256').update(part(key)).digest('hex').slice(0, 16), use: 'sig' };
}

export class Hearthline {
  // launch:  the launch URL that the administrator sent you, https://desk.example/launch/jwt/{client}
  // issuer:  of your tokens; origin: of your pages. Both as the administrator entered them.
  // keys:    private keys as PEM. The first signs; publicKeys has the public halves of all.
  // secrets: of events, whsec_…: the current one and, while you replace it, the next one.
  // store:   async get(name) and set(name, value), in your database: small values that must survive a restart.
  // onLead:  stores the status of a lead in your list. onEvent: for your automations. Both may be async, and are called
  //          again after a failure. onTest is called for a test event.
  constructor({ launch, issuer, origin, keys, secrets = [], store, onLead = () => {}, onEvent = () => {},
    onTest = () => {} }) {
    if (!/^https?:.*\/launch\/jwt\/[^/]+$/.test(launch)) throw new Error(`${launch} isn’t a launch URL for tokens`);
    Object.assign(this, { launch, issuer, origin, secrets, store, onLead, onEvent, onTest });
    this.signing = { key: createPrivateKey(keys[0]), kid: publicKey(keys[0]).kid };
    this.publicKeys = { keys: keys.map(pem => publicKey(pem)) };
    this.events = this.syncs = Promise.resolve();
  }

  #token(audience, claims) {
    const now = Math.floor(Date.now() / 1000), { key, kid } = this.signing;
    const [alg, hash] = algorithms[key.asymmetricKeyType];
    const signed = part({ alg: alg, typ: 'launch+jwt', kid: kid }) + '.' + part({
      iss: this.issuer, aud: audience, jti: randomUUID(), iat: now, exp: now + 60, ...claims,
    });
    return signed + '.' + sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  }

  // launchToken signs one launch. user {id, name, email} and record {type, id, prefill} come from your session and your
  // database, never from what a browser sends.
  launchToken(user, record) {
    return this.#token(this.launch, { sub: String(user.id), name: user.name, email: user.email, origin: this.origin,
      record: { type: record.type, id: record.id }, prefill: record.prefill });
  }

  // leads returns one page of statuses: of what changed since a cursor, {changed_since}, or of one record, {record, type}.
  async leads(query = {}) {
    const url = new URL(this.launch.replace(/\/launch\/jwt\/([^/]+)$/, '/api/embed/$1/leads'));
    url.search = new URLSearchParams(query);
    for (;;) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${this.#token(url.href, { sub: 'server' })}` } });
      if (response.ok) return response.json();
      const problem = await response.text();
      if (response.status !== 429) throw new Error(`${url.pathname}: ${response.status} ${problem}`);
      await wait(1000 * (Number(response.headers.get('retry-after')) || 1));
    }
  }

  // sync passes every lead that changed since the last call to onLead. Calls that come while one waits share it.
  sync() {
    return this.waiting ??= this.#queue(async () => {
      this.waiting = null;
      await this.#pages(await this.store.get('cursor'), async (leads, cursor) => {
        for (const lead of leads) await this.onLead(lead);
        await this.store.set('cursor', cursor);
      });
    });
  }

  // rebuild passes all leads to replace in one call, which stores them in place of your list. Only this drops leads that
  // are no longer linked to your records; events and syncs don't report that.
  rebuild(replace) {
    return this.#queue(async () => {
      const all = [];
      let latest;
      await this.#pages(undefined, (leads, cursor) => { all.push(...leads); latest = cursor; });
      await replace(all);
      await this.store.set('cursor', latest);
    });
  }

  #queue(work) { return this.syncs = this.syncs.catch(() => {}).then(work); }

  async #pages(cursor, onPage) {
    for (let more = true; more;) {
      const page = await this.leads(cursor ? { changed_since: cursor } : {});
      ({ cursor, more } = page);
      await onPage(page.leads, cursor);
    }
  }

  // verify returns the event in a request that Hearthline has signed, or null. headers: by lowercase name. body: the
  // bytes as they came, before any parsing.
  verify(headers, body) {
    const id = headers['webhook-id'], time = headers['webhook-timestamp'];
    if (!(Math.abs(Date.now() / 1000 - time) < 300)) return null;
    const expected = this.secrets.map(s => Buffer.from('v1,' + createHmac('sha256', Buffer.from(s.slice(6), 'base64'))
      .update(`${id}.${time}.`).update(body).digest('base64')));
    const valid = (headers['webhook-signature'] ?? '').split(' ').map(s => Buffer.from(s))
      .some(s => expected.some(e => e.length === s.length && timingSafeEqual(e, s)));
    return valid ? JSON.parse(body) : null;
  }

  // receive passes an event to onEvent, unless it came before or is older than what came for its lead. Then it syncs the
  // list, so the list has what Hearthline shows, whichever event came last.
  async receive(event) {
    if (event.type === 'test') return this.onTest();
    const next = this.events.catch(() => {}).then(async () => {
      const name = 'event ' + event.application;
      if (event.number <= (await this.store.get(name) ?? 0)) return;
      await this.onEvent(event);
      await this.store.set(name, event.number);
    });
    await (this.events = next);
    this.sync().catch(error => console.error(error.message)); // a later sync catches up
  }

  // handle answers the three requests under /hearthline/ and returns false for any other.
  //   GET  /hearthline/keys                      your public keys
  //   POST /hearthline/token?type=deal&id=51     a launch token, for token-url of <hearthline-desk>
  //   POST /hearthline/events                    the URL for events
  // user(request) returns who is signed in to your CRM, and record(user, type, id) the record if they may see it.
  async handle(request, response, { user, record }) {
    const { pathname, searchParams } = new URL(request.url, this.origin);
    const answer = (status, body = '', type = 'text/plain') => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      return true;
    };
    switch (`${request.method} ${pathname}`) {
      case 'GET /hearthline/keys':
        return answer(200, JSON.stringify(this.publicKeys), 'application/json');
      case 'POST /hearthline/token': {
        const who = await user(request);
        const what = who && await record(who, searchParams.get('type'), searchParams.get('id'));
        return what ? answer(200, this.launchToken(who, what)) : answer(who ? 404 : 401);
      }
      case 'POST /hearthline/events': {
        const chunks = [];
        let size = 0;
        for await (const chunk of request) {
          if ((size += chunk.length) > 65536) return answer(413);
          chunks.push(chunk);
        }
        const event = this.verify(request.headers, Buffer.concat(chunks));
        if (!event) return answer(401);
        await this.receive(event);
        return answer(204);
      }
    }
    return false;
  }
}

if (process.argv[2] === 'keys' && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, kid] = process.argv.slice(3);
  const stop = reason => { console.error(reason); process.exit(1); };
  if (!file) stop('Usage: node hearthline.mjs keys FILE [KEY_ID]');
  if (!existsSync(file)) {
    if (kid || !file.endsWith('.pem')) stop(`${file} doesn't exist`);
    console.error(`Creating a private key in ${file}`);
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  console.log(JSON.stringify({ keys: [publicKey(readFileSync(file), kid)] }, null, 2));
}
