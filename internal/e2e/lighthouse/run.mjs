// Measures four pages of a running demo with Lighthouse, as a phone on a slow network, and fails when the median of the
// runs is below a threshold. Usage: node run.mjs http://localhost:8080
import {existsSync} from 'node:fs';
import lighthouse from 'lighthouse';
import {launch} from 'chrome-launcher';

const base = process.argv[2] ?? 'http://localhost:8080';
const runs = Number(process.env.LIGHTHOUSE_RUNS ?? 5);
const least = {
  performance: Number(process.env.LIGHTHOUSE_PERFORMANCE ?? 98), accessibility: 100, 'best-practices': 100,
};
const most = {'cumulative-layout-shift': 0.01, 'total-blocking-time': Number(process.env.LIGHTHOUSE_BLOCKING ?? 100)};
const email = 'olivia@summit.test', password = process.env.LIGHTHOUSE_PASSWORD ?? 'kettle-lantern-orchard';

// signIn returns the cookies of a session.
async function signIn() {
  const jar = new Map();
  const keep = r => r.headers.getSetCookie().forEach(c => jar.set(...c.split(';')[0].split(/=(.*)/s, 2)));
  const header = () => [...jar].map(c => c.join('=')).join('; ');
  keep(await fetch(base + '/login'));
  keep(await fetch(base + '/login', {
    method: 'POST', redirect: 'manual', body: new URLSearchParams({email, password}), headers: {origin: base, cookie: header()},
  }));
  return header();
}

// firstLead returns the URL of the first lead of a list.
async function firstLead(cookie, view) {
  const html = await (await fetch(`${base}/leads?view=${view}`, {headers: {cookie}})).text();
  const found = /class="nm"[^>]*href="([^"]+)"/.exec(html);
  if (!found) throw new Error(`the list ${view} has no lead; is this a demo?`);
  return found[1];
}

const median = numbers => numbers.toSorted?.((a, b) => a - b)[numbers.length >> 1] ?? [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const chromePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const cookie = await signIn();
const pages = [
  {name: 'login', path: '/login', public: true},
  {name: 'leads', path: '/leads'},
  {name: 'lead', path: await firstLead(cookie, 'today')},
  {name: 'offers', path: await firstLead(cookie, 'offers') + '/offers'},
];

let failed = false;
const check = (ok, text) => { if (!ok) { failed = true; console.log('  below the threshold: ' + text); } };

for (const page of pages) {
  const categories = ['performance', 'accessibility', 'best-practices', ...(page.public ? ['seo'] : [])];
  const scores = {}, figures = {}, faults = new Set();
  for (let i = 0; i < runs; i++) {
    const chrome = await launch({chromePath, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu']});
    try {
      const {lhr} = await lighthouse(base + page.path, {
        port: chrome.port, onlyCategories: categories, logLevel: 'error', extraHeaders: page.public ? {} : {Cookie: cookie},
      });
      if (new URL(lhr.finalDisplayedUrl).pathname !== page.path) throw new Error(`${page.path} led to ${lhr.finalDisplayedUrl}`);
      for (const c of categories) (scores[c] ??= []).push(Math.round(lhr.categories[c].score * 100));
      for (const f of ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index']) {
        (figures[f] ??= []).push(lhr.audits[f].numericValue);
      }
      for (const c of categories.slice(1)) for (const ref of lhr.categories[c].auditRefs) {
        const audit = lhr.audits[ref.id];
        if (ref.weight && audit.score !== null && audit.score < 1) faults.add(`${c}: ${audit.title} ${(audit.details?.items ?? []).slice(0, 2).map(i => i.node?.snippet ?? i.description ?? i.url ?? '').join(' ')}`);
      }
    } finally {
      await chrome.kill();
    }
  }
  const middle = Object.fromEntries(Object.entries({...scores, ...figures}).map(([k, v]) => [k, median(v)]));
  console.log(page.name.padEnd(8) + categories.map(c => `${c} ${middle[c]}`).join(', ') + '; ' +
    Object.keys(figures).map(f => `${f} ${Math.round(middle[f] * 1000) / 1000}`).join(', '));
  for (const c of categories) check(middle[c] >= (least[c] ?? 100), `${c} ${scores[c]}`);
  for (const [f, limit] of Object.entries(most)) check(middle[f] <= limit, `${f} ${figures[f].map(n => Math.round(n * 1000) / 1000)}`);
  for (const fault of faults) console.log('  ' + fault);
}
process.exit(failed ? 1 : 0);
