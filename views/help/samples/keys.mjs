// keys.mjs: print the public half of a key or certificate (PEM) as a JSON Web Key Set.
//   openssl genpkey -algorithm ed25519 -out launch-key.pem
//   node keys.mjs launch-key.pem k1
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [file, kid] = process.argv.slice(2);
const key = createPublicKey(readFileSync(file)).export({ format: 'jwk' });
console.log(JSON.stringify({ keys: [{ ...key, kid, use: 'sig' }] }, null, 2));
