// node:fs of the test: files are what its server has.
export function readFileSync(path) {
  const asked = new XMLHttpRequest();
  asked.open('GET', '/' + path, false);
  asked.send();
  if (asked.status !== 200) throw Error('no file ' + path);
  return asked.responseText;
}
