// node:crypto of the test: Go computes, and a key is its PEM.
function asks(what, value) {
  const asked = new XMLHttpRequest();
  asked.open('POST', '/node/' + what, false);
  asked.send(JSON.stringify(value));
  if (asked.status !== 200) throw Error(what + ': ' + asked.responseText);
  return JSON.parse(asked.responseText);
}
export const randomUUID = () => crypto.randomUUID();
export const createPrivateKey = pem => ({pem});
export const createPublicKey = pem => ({export: ({format}) => asks('public', {pem, format})});
export const sign = (algorithm, data, key) => Buffer.from(asks('sign', {algorithm, data: [...data], pem: key.pem}));
