import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from './support/api-client.ts';
import { keepLogOnFailure } from './support/artefacts.ts';
import { freshProfile, keepPageOnFailure, launchBrowser, logInThroughForm } from './support/browser.ts';
import { LAN_HEADING, startLanPage, type LanPage } from './support/lan-page.ts';
import { forgetLimits } from './support/neighbour.ts';
import { createPerson } from './support/person.ts';
import { adminPassword, pickPorts, startProduct, type Product } from './support/product.ts';

// What a page on one mapping's host can do to the console and to other mappings by the cookies of their common domain.

const DOMAIN = 'tongtu.test';
const attacker = { account: 'attacker', email: 'attacker@example.com' };

let product: Product;
let browser: Browser;
let lan: LanPage;
let stolenId: string;

/** Addresses by scheme: the console's, the attacker's page and the owner's. */
const at = (scheme: 'http' | 'https', name = '') =>
  `${scheme}://${name === '' ? '' : `${name}.`}${DOMAIN}:${scheme === 'http' ? product.ports.http : product.ports.tls}`;

beforeAll(async () => {
  const ports = await pickPorts();
  const env = { BASE_DOMAIN: DOMAIN, PUBLIC_URL: `https://${DOMAIN}:${ports.tls}` };
  const rules = `MAP ${DOMAIN} 127.0.0.1, MAP *.${DOMAIN} 127.0.0.1`;
  [product, browser, lan] = await Promise.all([
    startProduct({ ports, env }),
    launchBrowser([`--host-resolver-rules=${rules}`]),
    startLanPage(),
  ]);
  const client = new ApiClient(product);
  const { id } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const { device } = await client.waitForWelcomeDevice();
  const page = { router: device.id, kind: 'http', target: lan.target } as const;
  await client.createMapping({ ...page, prefix: 'evil', policy: 'public' });
  await client.createMapping({ ...page, prefix: 'mine' });
  await createPerson(product, attacker);
  const other = new ApiClient(product);
  await other.call('GET', '/api/profile/');
  const body = { account: attacker.account, password: adminPassword };
  const reply = await other.call('POST', '/custom/login/', body);
  stolenId = /sessionid=([^;]+)/.exec(reply.headers['set-cookie']?.join() ?? '')?.[1] ?? '';
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([lan, product].map((part) => part?.[Symbol.asyncDispose]()));
});

let page: Page;

beforeEach(async ({ task }) => {
  await forgetLimits(product);
  const profile = await freshProfile(browser, { ignoreHTTPSErrors: true });
  onTestFinished(() => profile.close());
  page = await profile.newPage();
  const name = `neighbours-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
  keepLogOnFailure(name, product.child);
  keepPageOnFailure(name, () => page);
});

/** Sets cookies for the whole domain by the script of a page of the attacker's. */
async function plant(scheme: 'http' | 'https', cookies: string[]): Promise<void> {
  await page.goto(at(scheme, 'evil'), { waitUntil: 'commit' });
  await page.getByRole('heading', { name: LAN_HEADING }).waitFor();
  const paths = ['/', '/api', '/api/', '/custom', '/captcha', '/api/profile/'];
  const tail = `domain=${DOMAIN}${scheme === 'https' ? '; secure' : ''}`;
  const lines = paths.flatMap((path) => cookies.map((cookie) => `${cookie}; path=${path}; ${tail}`));
  await page.evaluate((all) => all.forEach((line) => (document.cookie = line)), lines);
  const held = await page.context().cookies(`${at(scheme)}/api/profile/`);
  const planted = held.filter(({ name, domain }) => name === 'sessionid' && domain === `.${DOMAIN}`);
  expect(planted.length).toBeGreaterThanOrEqual(paths.length - 2); // those that reach a call
}

async function logIn(scheme: 'http' | 'https'): Promise<void> {
  await page.goto(`${at(scheme)}/#/login`);
  await logInThroughForm(page);
  await page.waitForURL(/#\/devices$/);
}

/** Whom the console takes this browser for; empty for nobody. */
async function loggedInAs(scheme: 'http' | 'https'): Promise<string> {
  await page.goto(`${at(scheme)}/`);
  return await page.evaluate(async () => {
    const [profile] = (await (await fetch('/api/profile/')).json()) as { username: string }[];
    return profile?.username ?? '';
  });
}

async function opens(url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: LAN_HEADING }).waitFor();
}

const sessions = () => [`sessionid=${stolenId}`, `__Host-sessionid=${stolenId}`, `=__Host-sessionid=${stolenId}`];

test('over https a page beside the console cannot make it another account’s', async () => {
  expect(stolenId).toMatch(/^[\w-]{43}$/);
  await plant('https', sessions());
  expect(await loggedInAs('https')).toBe('');
  await logIn('https');
  await plant('https', [...sessions(), 'csrftoken=junk', '__Host-csrftoken=junk', 'browser=junk']);
  expect(await loggedInAs('https')).toBe('admin');
  await page.goto(`${at('https')}/#/devices`);
  await opens(`${at('https', 'mine')}/photos/`);
});

test('who has been here over https logs in over http as well, and opens what is theirs over both', async () => {
  await logIn('https');
  await opens(`${at('https', 'mine')}/`);
  await logIn('http');
  expect(await loggedInAs('http')).toBe('admin');
  await opens(`${at('http', 'mine')}/`);
  await opens(`${at('https', 'mine')}/`);
});

test('over http junk of a neighbour’s keeps nobody from logging in, nor from a page deep down', async () => {
  const junk = ['sessionid=junk', `sessionid=${'A'.repeat(43)}`, `csrftoken=${'A'.repeat(16)}.${'A'.repeat(43)}`];
  await plant('http', [...junk, 'browser=junk', 'loginstep=junk', 'tongtu_visitor=junk']);
  await logIn('http');
  expect(await loggedInAs('http')).toBe('admin');
  // The gate asks at the console's one public address, which is that of https here.
  await logIn('https');
  await opens(`${at('http', 'mine')}/api/profile/deep/down`);
});
