// What a program for Node finds around it, as far as the samples of the help use it.
globalThis.Buffer = {
  from(value) {
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value);
    bytes.toString = as => {
      if (as !== 'base64url') throw Error('no such spelling here: ' + as);
      return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    };
    return bytes;
  },
};
const printed = [];
console.log = text => printed.push(text);
async function run(main, args, env) {
  globalThis.process = {argv: ['node', main, ...args ?? []], env: env ?? {}};
  try {
    await import('/' + main);
    globalThis.ended = {printed: printed.join('\n'), failed: ''};
  } catch (e) {
    globalThis.ended = {printed: '', failed: String(e)};
  }
}
