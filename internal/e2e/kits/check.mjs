// Checks the projects in the folders "hubspot" and "salesforce" beside this file, as far as that is possible without an
// account. With HubSpot's packages it parses the project, uses the card with the test renderer and builds it; with
// Salesforce's compiler it compiles the component, and it parses the Apex class.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApexParserFactory, ThrowingErrorListener } from '@apexdevtools/apex-parser';
import { isKnownPlatformVersion } from '@hubspot/project-parsing-lib/projects';
import { translate } from '@hubspot/project-parsing-lib/translate';
import { Alert, Button, DescriptionListItem, Link, Text, hubspot } from '@hubspot/ui-extensions';
import { createRenderer } from '@hubspot/ui-extensions/testing';
import { transformSync } from '@lwc/compiler';
import ts from 'typescript';

const project = resolve('hubspot'), cards = join(project, 'src/app/cards');
const read = path => JSON.parse(readFileSync(path, 'utf8'));

const { platformVersion, srcDir } = read(join(project, 'hsproject.json'));
assert(isKnownPlatformVersion(platformVersion), platformVersion);
const { intermediateRepresentation, skippedHsMetaFiles } = await translate(
  { projectSourceDir: join(project, srcDir), platformVersion, accountId: 1 }, { skipValidation: true });
const nodes = Object.values(intermediateRepresentation.intermediateNodesIndexedByUid);
assert.deepEqual(nodes.map(n => n.componentType).sort(), ['APPLICATION', 'CARD'], 'one app with one card');
assert.deepEqual(skippedHsMetaFiles ?? [], []);
const card = nodes.find(n => n.componentType === 'CARD');
const entry = join(project, srcDir, card.config.entrypoint);
assert(existsSync(entry), entry);

const { dependencies, devDependencies } = read(join(cards, 'package.json'));
for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
  assert.equal(read(join('node_modules', name, 'package.json')).version, version, `${name} as installed`);
}

// The card with answers of Hearthline.
const { outputText } = ts.transpileModule(readFileSync(entry, 'utf8'), { compilerOptions: {
  target: 'esnext', module: 'esnext', jsx: ts.JsxEmit.ReactJSX } });
writeFileSync('card.mjs', outputText);
const lead = { lead: '1-1', application: 'a', step: 'offers_available', move: 'originator', due: '2026-11-21T06:59:59Z',
  url: 'https://desk.example/leads/a' };
const calls = [];
let answer = { leads: [lead] }, status = 200, extension;
hubspot.extend = f => { extension = f; };
hubspot.fetch = async (url, options) => {
  calls.push([options.method, url, options.body]);
  const body = options.method === 'POST' ? { url: 'https://desk.example/launch/hubspot/hubspot/code' } : answer;
  return { ok: status === 200, json: async () => body };
};
await import('./card.mjs');

function show() {
  const renderer = createRenderer('crm.record.tab');
  let openIframeModal;
  const opened = new Promise(resolve => { openIframeModal = (...all) => resolve(all); });
  const context = { ...renderer.mocks.context, crm: { objectId: 51, objectTypeId: '0-1' } };
  const actions = { ...renderer.mocks.actions, openIframeModal,
    fetchCrmObjectProperties: async () => ({ firstname: 'Elena', phone: '' }) };
  renderer.render(extension({ context, actions }));
  return { ...renderer, opened };
}

let shown = show();
await shown.waitFor(() => shown.find(Link));
assert.equal(shown.find(Link).props.href, lead.url);
assert.deepEqual(shown.findAll(DescriptionListItem).map(i => i.props.label), ['Lead', 'Step', 'Next move', 'Due']);
shown.find(Button).trigger('onClick');
const [{ uri }, closed] = await shown.opened;
assert.equal(uri, 'https://desk.example/launch/hubspot/hubspot/code');
answer = { leads: [] };
closed();
await shown.waitFor(() => assert.equal(shown.find(Text).text, 'No inquiry yet.'));
const list = ['GET', 'https://desk.example/api/embed/hubspot/leads?record=51&type=0-1', undefined];
assert.deepEqual(calls, [list, ['POST', 'https://desk.example/launch/hubspot/hubspot',
  { record: { type: '0-1', id: '51' }, prefill: { 'applicant.name.firstName': 'Elena' } }], list]);

[status, answer] = [403, { error: 'This call isn’t signed by an enabled CRM.', reference: 'r1' }];
shown = show();
await shown.waitFor(() => shown.find(Alert));
assert.equal(shown.find(Alert).text, 'This call isn’t signed by an enabled CRM. r1');

const salesforce = name => readFileSync(join('salesforce/force-app/main/default', name), 'utf8');
for (const file of ['hearthlineRecord.html', 'hearthlineRecord.js']) {
  const { code, warnings } = transformSync(salesforce('lwc/hearthlineRecord/' + file), file,
    { namespace: 'c', name: 'hearthlineRecord', apiVersion: 66, enableLightningWebSecurityTransforms: true });
  assert(code && !warnings?.length, JSON.stringify(warnings));
}
const apex = ApexParserFactory.createParser(salesforce('classes/HearthlineLaunch.cls'));
apex.removeErrorListeners();
apex.addErrorListener(new ThrowingErrorListener());
apex.compilationUnit();

// The last step, because this package exits without a word after any error that nobody handles.
const { remoteBuild } = await import('@hubspot/ui-extensions-dev-server');
try {
  await remoteBuild({ root: cards, entryPoint: entry, outputDir: resolve('built'), logLevel: 'warn' });
  assert(statSync('built/DeskCard.js').size > 5000);
} catch (error) {
  console.error(error);
  process.exit(1);
}
console.log(`HubSpot ${platformVersion}: parsed, used and built; Salesforce: compiled and parsed`);
