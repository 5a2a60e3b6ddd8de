// server.mjs: a CRM with two contacts, to begin with and to change. It needs hearthline.mjs beside it.
//   HEARTHLINE_LAUNCH=https://desk.example/launch/jwt/acme HEARTHLINE_SECRETS=whsec_… node server.mjs
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Hearthline } from './hearthline.mjs';

const port = Number(process.env.PORT ?? 8090);
const origin = process.env.ORIGIN ?? `http://127.0.0.1:${port}`; // as the administrator entered it
const contacts = [
  { type: 'contact', id: '51', prefill: { 'applicant.name.firstName': 'Elena', 'applicant.name.lastName': 'Rivera' } },
  { type: 'contact', id: '52', prefill: { 'applicant.name.firstName': 'Noah', 'applicant.name.lastName': 'Lindqvist' } },
];

// A file in place of your database.
const file = process.env.STATE_FILE ?? 'crm-state.json';
const state = existsSync(file) ? JSON.parse(readFileSync(file)) : { values: {}, leads: {}, tasks: [] };
const save = () => writeFileSync(file, JSON.stringify(state));
// A record's ID is missing if the lender doesn't return it. In that case, keep the known one.
const keepRecord = lead => lead.records.some(r => r.id) ? lead
  : { ...lead, records: state.leads[lead.application]?.records ?? lead.records };

const hearthline = new Hearthline({
  launch: process.env.HEARTHLINE_LAUNCH,
  issuer: process.env.HEARTHLINE_ISSUER ?? origin,
  origin,
  keys: process.env.HEARTHLINE_KEY ? [process.env.HEARTHLINE_KEY]
    : (process.env.HEARTHLINE_KEY_FILES ?? 'launch-key.pem').split(' ').map(file => readFileSync(file)), // the first signs
  secrets: (process.env.HEARTHLINE_SECRETS ?? '').split(' ').filter(Boolean), // one, or two separated by a space
  store: {
    get: async name => state.values[name],
    set: async (name, value) => { state.values[name] = value; save(); },
  },
  onLead: lead => { state.leads[lead.application] = keepRecord(lead); save(); },
  onTest: () => console.log('The test event arrived.'),
  onEvent: event => {
    console.log('event', event.type, event.lead);
    if (event.type === 'lead.offers_ready') state.tasks.push(`Call about the offers of lead ${event.lead}`);
  },
});

const crm = {
  user: () => ({ id: 'u-7', name: 'Sam Lee', email: 'sam.lee@crm.example' }), // from your session; null if there is none
  record: (user, type, id) => contacts.find(c => c.type === type && c.id === id), // if this user may see it
};

const row = c => {
  const [lead] = Object.values(state.leads) // open ones first, then the latest; types come back in lower case
    .filter(l => l.records.some(r => r.type === c.type.toLowerCase() && r.id === c.id))
    .sort((a, b) => (a.outcome !== 'open') - (b.outcome !== 'open') || b.changed.localeCompare(a.changed));
  return `<tr><td><a href="/?id=${c.id}">Contact ${c.id}</a><td>${lead ? lead.step : 'No inquiry'}<td>${lead?.due ?? ''}`;
};

const page = id => `<!doctype html><meta charset="utf-8"><title>CRM</title>
<table><tr><th>Contact<th>HELOC<th>Due${contacts.map(row).join('')}</table>
<ul>${state.tasks.map(t => `<li>${t}`).join('')}</ul>
<script type="module" src="https://desk.example/static/hearthline-desk.js" integrity="INTEGRITY" crossorigin></script>
<hearthline-desk launch="${hearthline.launch}" token-url="/hearthline/token?type=contact&amp;id=${id}"></hearthline-desk>`;

createServer(async (request, response) => {
  try {
    if (await hearthline.handle(request, response, crm)) return;
    const id = new URL(request.url, origin).searchParams.get('id') ?? contacts[0].id;
    const known = contacts.some(c => c.id === id);
    response.writeHead(known ? 200 : 404, { 'content-type': 'text/html' }).end(known ? page(id) : 'No such contact');
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}).listen(port, '127.0.0.1', () => console.log(`Open ${origin}`));

const failed = error => console.error(error.message);
const rebuild = () => hearthline.rebuild(leads => {
  state.leads = Object.fromEntries(leads.map(lead => [lead.application, keepRecord(lead)]));
  save();
}).catch(failed);
await rebuild(); // the full list first, then the changes
setInterval(() => hearthline.sync().catch(failed), 60_000); // events are faster; this also works without them
setInterval(rebuild, 86_400_000); // drops leads that are no longer linked
