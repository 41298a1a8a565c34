import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Agent, enrolDevice } from './support/product/agent.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { freshProfile, savePageOnFailure, launchBrowser, logInThroughForm } from './support/browser/browser.ts';
import { LAN_HEADING, startLanPage, type LanPage } from './support/services/lan-page.ts';
import { forgetLimits } from './support/product/database.ts';
import { createPerson } from './support/person.ts';
import { adminPassword, pickPorts, startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

// What a page on one mapping's host can do to the console and to other mappings: with cookies of their common domain,
// and with requests to them.

const DOMAIN = 'tongtu.test';
const attacker = { account: 'attacker', email: 'attacker@example.com' };

let product: Product;
let browser: Browser;
let lan: LanPage;
let agent: Agent;
let stolenId: string;

/** The addresses of the console, the attacker's page and the owner's mapping. */
const at = (scheme: 'http' | 'https', name = '') =>
  `${scheme}://${name === '' ? '' : `${name}.`}${DOMAIN}:${scheme === 'http' ? product.ports.http : product.ports.tls}`;

beforeAll(async () => {
  const ports = await pickPorts();
  const env = { BASE_DOMAIN: DOMAIN, PUBLIC_URL: `https://${DOMAIN}:${ports.tls}` };
  const rules = `MAP ${DOMAIN} 127.0.0.1, MAP *.${DOMAIN} 127.0.0.1`;
  [product, browser, lan] = await Promise.all([
    startProduct({ ports, env }),
    // A prefetch accepts the self-signed certificate only by this flag, or over a connection that is still open by chance.
    launchBrowser({ args: [`--host-resolver-rules=${rules}`, '--ignore-certificate-errors'] }),
    startLanPage(),
  ]);
  const client = new ApiClient(product);
  const { id } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const { device } = await client.waitForWelcomeDevice();
  const page = { router: device.id, kind: 'http', target: lan.target } as const;
  await client.createMapping({ ...page, prefix: 'evil', policy: 'public' });
  await client.createMapping({ ...page, prefix: 'mine' });
  await client.createMapping({ ...page, prefix: 'dashboard', policy: 'public' });
  await createPerson(product, attacker);
  const other = new ApiClient(product);
  await other.call('GET', '/api/profile/');
  const body = { account: attacker.account, password: adminPassword };
  const reply = await other.call('POST', '/custom/login/', body);
  stolenId = /sessionid=([^;]+)/.exec(reply.headers['set-cookie']?.join() ?? '')?.[1] ?? '';
  const { json } = await other.call('GET', '/api/profile/');
  const [{ token }] = json as [{ token: string }]; // as in the contract
  const otherOwner = await enrolDevice(product, other, { token, name: '陌生人的设备' });
  agent = otherOwner.agent;
  await other.createMapping({ ...page, router: otherOwner.device.id, prefix: 'other', policy: 'public' });
});

afterAll(async () => {
  await browser?.close();
  await agent?.child.kill();
  await Promise.all([lan, product].map((part) => part?.[Symbol.asyncDispose]()));
});

let page: Page;

beforeEach(async ({ task }) => {
  await forgetLimits(product);
  const profile = await freshProfile(browser, { ignoreHTTPSErrors: true });
  onTestFinished(() => profile.close());
  page = await profile.newPage();
  const name = `other-tenants-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
  saveLogOnFailure(name, product.child);
  savePageOnFailure(name, () => page);
});

/** Sets cookies for the whole domain by a script of the attacker's page. */
async function plant(scheme: 'http' | 'https', cookies: string[]): Promise<void> {
  await page.goto(at(scheme, 'evil'), { waitUntil: 'commit' });
  await page.getByRole('heading', { name: LAN_HEADING }).waitFor();
  const paths = ['/', '/api', '/api/', '/custom', '/captcha', '/api/profile/'];
  const tail = `domain=${DOMAIN}${scheme === 'https' ? '; secure' : ''}`;
  const lines = paths.flatMap((path) => cookies.map((cookie) => `${cookie}; path=${path}; ${tail}`));
  await page.evaluate((all) => all.forEach((line) => (document.cookie = line)), lines);
  // The browser stores them a moment after the script has set them.
  const countPlanted = async (): Promise<number> => {
    const held = await page.context().cookies(`${at(scheme)}/api/profile/`);
    return held.filter(({ name, domain }) => name === 'sessionid' && domain === `.${DOMAIN}`).length;
  };
  await expect.poll(countPlanted).toBeGreaterThanOrEqual(paths.length - 2); // those whose path matches a call
}

async function logIn(scheme: 'http' | 'https'): Promise<void> {
  await page.goto(`${at(scheme)}/#/login`);
  await logInThroughForm(page);
  await page.waitForURL(/#\/devices$/);
}

/** The account that the console shows in this browser; empty without a session. */
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

test('over http planted cookies of another tenant prevent neither the login nor a deep link', async () => {
  const junk = ['sessionid=junk', `sessionid=${'A'.repeat(43)}`, `csrftoken=${'A'.repeat(16)}.${'A'.repeat(43)}`];
  await plant('http', [...junk, 'browser=junk', 'loginstep=junk', 'tongtu_visitor=junk']);
  await logIn('http');
  expect(await loggedInAs('http')).toBe('admin');
  // The gate redirects to the console's public URL, which is the https one here.
  await logIn('https');
  await opens(`${at('http', 'mine')}/api/profile/deep/down`);
});

/** The status of a page; undefined when the browser shows an error page of its own. */
async function statusOf(url: string): Promise<number | undefined> {
  // The browser's error page appears a moment after the failure, and would cancel the next navigation.
  const shown = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
  const response = await page.goto(url).catch(() => undefined);
  await shown;
  return response?.status();
}

test('too many planted cookies shut nobody out for more than one request', async () => {
  for (const [count, place] of [
    [12, at('https')],
    [150, at('https', 'mine')],
  ] as const) {
    await opens(`${at('https', 'evil')}/`);
    await page.evaluate(
      ([cookies, domain]) => {
        const tail = `${'x'.repeat(3900)}; domain=${domain}; path=/; secure; max-age=34560000`;
        for (let index = 0; index < cookies; index++) document.cookie = `planted${index}=${tail}`;
      },
      [count, DOMAIN] as const,
    );
    await expect.poll(async () => (await page.context().cookies(`${place}/`)).length).toBeGreaterThanOrEqual(count);
    // The many refused headers may end the HTTP/2 connection first; the browser then gets the answer over another one.
    await waitFor('the browser gets 431', 60_000, async () => (await statusOf(`${place}/`)) === 431);
    await page.getByRole('heading', { name: 'Cookie 过多' }).waitFor();
    await page.getByRole('link', { name: '重新打开' }).click();
    await page.getByRole('heading', { name: 'Cookie 过多' }).waitFor({ state: 'hidden' });
    expect(await page.context().cookies(`${place}/`)).not.toContainEqual(
      expect.objectContaining({ name: expect.stringMatching(/^planted/) }),
    );
  }
});

type Reached = { post: number; socket: string; frame: string; unnamed: string | undefined };

/**
 * What a script of this mapping's page gets from the owner's `mine`: with a form, a WebSocket, a frame, and a frame
 * without Referer, as on some dashboards.
 */
async function reaches(name: string): Promise<Reached> {
  await opens(`${at('https', name)}/`);
  const mine = at('https', 'mine');
  const posted = page.waitForResponse((response) => response.url() === `${mine}/delete`);
  const socket = await page.evaluate(async (address) => {
    const options = { method: 'POST', mode: 'no-cors', credentials: 'include', body: 'all=1' } as const;
    await fetch(`${address}/delete`, options);
    for (const referrerPolicy of ['', 'no-referrer'] as const) {
      const frame = Object.assign(document.createElement('iframe'), { referrerPolicy, src: `${address}/frame#part` });
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    }
    return await new Promise<string>((resolve) => {
      const opened = new WebSocket(`${address.replace('https', 'wss')}/socket`);
      opened.onopen = () => opened.send('hello');
      opened.onmessage = () => resolve('answers');
      opened.onerror = () => resolve('refused');
    });
  }, mine);
  const frame = await page.frameLocator('iframe >> nth=0').locator('h1').innerText();
  const [, , inUnnamed] = page.frames();
  // The browser shows nothing of a page that must not be framed.
  const isEmpty = inUnnamed?.url() === 'chrome-error://chromewebdata/';
  const unnamed = isEmpty ? 'nothing' : await inUnnamed?.locator('h1', { hasText: LAN_HEADING }).innerText();
  return { post: (await posted).status(), socket, frame, unnamed };
}

test('a page of another tenant gets nothing from the owner’s mappings in the owner’s browser; the owner’s own page does', async () => {
  await logIn('https');
  await opens(`${at('https', 'mine')}/`);

  expect(await reaches('dashboard')).toEqual({
    ...{ post: 200, socket: 'answers' },
    ...{ frame: LAN_HEADING, unnamed: LAN_HEADING },
  });
  expect(await reaches('other')).toEqual({
    ...{ post: 403, socket: 'refused' },
    ...{ frame: '不能在其他网站的页面里打开', unnamed: 'nothing' },
  });

  // The link in the frame opens a new window, where everything works.
  const opening = page.context().waitForEvent('page');
  await page.frameLocator('iframe >> nth=0').getByRole('link', { name: '在新窗口中打开' }).click();
  const opened = await opening;
  await opened.getByRole('heading', { name: LAN_HEADING }).waitFor();
  expect(opened.url()).toBe(`${at('https', 'mine')}/frame`);
});

/** The result of a prefetch that the page on this mapping starts. */
async function prefetched(name: string, url: string): Promise<string> {
  await opens(`${at('https', name)}/`);
  const devTools = await page.context().newCDPSession(page);
  const { promise, resolve } = Promise.withResolvers<string>();
  devTools.on('Preload.prefetchStatusUpdated', ({ status, prefetchStatus, prefetchUrl }) => {
    if (prefetchUrl === url && (status === 'Ready' || status === 'Failure')) resolve(prefetchStatus);
  });
  await devTools.send('Preload.enable');
  await page.evaluate((address) => {
    const rules = { prefetch: [{ urls: [address], eagerness: 'immediate' }] };
    const script = Object.assign(document.createElement('script'), { type: 'speculationrules' });
    script.textContent = JSON.stringify(rules);
    document.head.append(script);
  }, url);
  const became = await promise;
  await devTools.detach();
  return became;
}

test('a prefetch of another tenant’s page neither logs out nor gets the owner’s pages; one of the owner’s page does', async () => {
  await logIn('https');
  const mine = `${at('https', 'mine')}/`;
  await opens(mine);

  expect(await prefetched('dashboard', mine)).toBe('PrefetchSuccessfulButNotUsed');
  expect(await prefetched('other', mine)).toBe('PrefetchFailedNon2XX');
  expect(await prefetched('other', `${at('https')}/custom/logout`)).toBe('PrefetchSuccessfulButNotUsed');
  expect(await loggedInAs('https')).toBe('admin');
  await opens(mine);
});
