import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { leadDomainHere } from '@tongtu/server/testing/installation';
import { startAgent, type Agent } from './support/product/agent.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  buttonName,
  clickForMessage,
  closeAnnouncements,
  freshProfile,
  savePageOnFailure,
  launchBrowser,
  logInThroughForm,
} from './support/browser/browser.ts';
import { inDatabase } from './support/product/database.ts';
import { startEchoServer, type EchoServer } from './support/services/echo-server.ts';
import { startNginx, type LanSite } from './support/services/nginx.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { openFlow } from './support/flow.ts';

// One flow from an empty data folder, in order: each test begins where the one before it ended.

const DEVICE_NAME = '书房的 NAS';
const OFFLINE_SEEN_WITHIN_MS = 60_000;

let product: Product;
let lan: LanSite;
let echo: EchoServer;
let browser: Browser;
let owner: BrowserContext;
let page: Page;
let agent: Agent;
/** The page to save when the test fails. */
let current: Page | undefined;
const startStep = openFlow();

beforeAll(async () => {
  [product, lan, echo, browser] = await Promise.all([
    startProduct(),
    startNginx(),
    startEchoServer(),
    launchBrowser({ isWhole: true }),
  ]);
  owner = await freshProfile(browser);
  page = await owner.newPage();
});

afterAll(async () => {
  await browser?.close();
  await agent?.child[Symbol.asyncDispose]();
  await Promise.all([lan, echo, product].map((part) => part?.[Symbol.asyncDispose]()));
});

beforeEach(({ task, skip }) => {
  startStep({ task, skip });
  current = page;
  const name = `main-job-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
  saveLogOnFailure(name, product.child);
  savePageOnFailure(name, () => current);
});

function deviceCard(name: string): Locator {
  return page.getByRole('article', { name });
}

function mappingRow(domain: string): Locator {
  return page.locator(`[data-mapping="${domain}"]`);
}

function publicUrl(prefix: string, path = '/'): string {
  return `http://${prefix}.localhost:${product.ports.http}${path}`;
}

/** Opens a mapping in a new tab by its link. */
async function openMapping(domain: string): Promise<Page> {
  const [opened] = await Promise.all([
    owner.waitForEvent('page'),
    mappingRow(domain).getByRole('link').first().click(),
  ]);
  current = opened;
  return opened;
}

async function addMapping(fields: { target: string; prefix: string; policy?: string }): Promise<void> {
  await deviceCard(DEVICE_NAME).getByRole('button', { name: '添加域名映射' }).click();
  const dialog = page.getByRole('dialog', { name: /添加域名映射/ });
  await dialog.getByLabel('主机', { exact: true }).fill(fields.target);
  await dialog.getByRole('textbox', { name: '域名前缀' }).fill(fields.prefix);
  expect(await dialog.getByRole('radio', { name: /需身份验证/ }).isChecked()).toBe(true);
  if (fields.policy !== undefined) await dialog.getByRole('radio', { name: new RegExp(fields.policy) }).check();
  await dialog.getByRole('button', { name: buttonName('添加') }).click();
  await dialog.waitFor({ state: 'hidden' });
  await mappingRow(`${fields.prefix}.localhost`).waitFor();
}

/** A lazily loaded screen sets its title a moment after the URL. */
async function expectTitle(title: string): Promise<void> {
  await expect.poll(() => page.title()).toBe(title);
}

/** Marks the page to notice a reload. */
async function forbidReload(): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  return async () => expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
}

test('the console asks for a login, and the announcement is closed by its only button', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  onTestFinished(async () => await page.emulateMedia({ reducedMotion: 'reduce' }));
  await page.goto(product.consoleUrl);
  await page.waitForURL(/#\/login$/);
  await expectTitle('通途 - 登录');
  await logInThroughForm(page, 'not the password');
  await page.getByText('账号或密码不正确').waitFor();

  await logInThroughForm(page);
  await page.waitForURL(/#\/devices$/);
  const dialog = page.getByRole('dialog', { name: '公告' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  expect(await dialog.isVisible()).toBe(true);
  await closeAnnouncements(page);
  await expectTitle('通途 - 我的设备');
});

test('this machine is the first device, with a welcome page', async () => {
  await page.getByRole('article').getByText('在线', { exact: true }).waitFor();
  const welcome = await openMapping('welcome.localhost');
  await welcome.waitForURL(publicUrl('welcome'));
  expect(await welcome.locator('h1').innerText()).toMatch(/\p{Script=Han}{2}/u);
  await welcome.close();
});

test('a second device is enrolled with the line of the console, and turns up without a reload', async () => {
  const expectSamePage = await forbidReload();
  await page.getByRole('button', { name: '添加设备' }).click();
  const dialog = page.getByRole('dialog', { name: '添加设备' });
  await dialog.getByRole('button', { name: /^Linux/ }).click();
  await dialog.getByText('正在等待您的设备').waitFor();
  const line = await dialog.locator('pre').first().innerText();
  const token = /TONGTU_TOKEN=(\S+)/.exec(line)?.[1] ?? '';
  expect(line).toContain(`${product.consoleUrl}/agent/install.sh; fi | TONGTU_TOKEN=${token} sh -s -- --pin`);

  agent = await startAgent(product, { token, name: DEVICE_NAME });

  await dialog.getByText(`“${DEVICE_NAME}”已上线`).waitFor({ timeout: 30_000 });
  await dialog
    .getByRole('button', { name: buttonName('关闭') })
    .last()
    .click();
  await deviceCard(DEVICE_NAME).getByText('在线', { exact: true }).waitFor();
  expect(agent.child.output).not.toContain(token);
  await expectSamePage();
});

test('a web server of the LAN is mapped and opens behind the gate, with its images', async () => {
  await Promise.all([
    // The new row is highlighted for a moment, and message and row both link to the page.
    mappingRow('album.localhost').and(page.locator('[class*=justSaved]')).waitFor(),
    addMapping({ target: lan.target, prefix: 'album' }),
  ]);
  const [byMessage] = await Promise.all([
    owner.waitForEvent('page'),
    page.locator('.ant-message').getByRole('link').click(),
  ]);
  await byMessage.getByRole('heading', { name: '家庭相册' }).waitFor();
  await byMessage.close();
  const album = await openMapping('album.localhost');

  await album.getByRole('heading', { name: '家庭相册' }).waitFor();
  expect(album.url()).toBe(publicUrl('album'));
  const photo = album.locator('#image');
  await photo.evaluate((image: HTMLImageElement) => image.decode());
  expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(lan.imageWidth);
  expect(await album.locator('h1').evaluate((title) => getComputedStyle(title).color)).toBe('rgb(1, 2, 3)');
  await album.getByRole('link', { name: '下一页' }).click();
  await album.getByRole('heading', { name: '第二页' }).waitFor();
  await album.close();
});

test('a file of 50 MB arrives in the browser as it is', async () => {
  const album = await owner.newPage();
  current = album;
  await album.goto(publicUrl('album'));
  const sha256 = await album.evaluate(async () => {
    const bytes = await (await fetch('/big.bin')).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  });
  expect(sha256).toBe(lan.bigFileSha256);
  await album.close();
});

test('a WebSocket through a public mapping says everything back', async () => {
  await addMapping({ target: echo.target, prefix: 'echo', policy: '公开' });
  const album = await owner.newPage(); // the console's content security policy only allows connections to itself
  current = album;
  await album.goto(publicUrl('album'));
  const answers = await album.evaluate(async (url) => {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    const next = () => new Promise<unknown>((resolve) => (socket.onmessage = ({ data }) => resolve(data)));
    await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
    const text = next();
    socket.send('你好');
    const replies: unknown[] = [await text];
    const binary = next();
    const sent = new Uint8Array(1_000_000).map((_, index) => index % 251);
    socket.send(sent);
    const received = new Uint8Array((await binary) as ArrayBuffer); // by binaryType
    replies.push(received.length === sent.length && received.every((byte, index) => byte === sent[index]));
    socket.close();
    return replies;
  }, `ws://echo.localhost:${product.ports.http}/`);
  expect(answers).toEqual(['你好', true]);
  await album.close();
});

test('a port opens to the network that its owner lets in, and shuts when it is sent away', async () => {
  await deviceCard(DEVICE_NAME).getByRole('button', { name: '添加域名映射' }).click();
  const dialog = page.getByRole('dialog', { name: /添加域名映射/ });
  await dialog.getByText('端口 TCP/UDP').click();
  await dialog.getByRole('textbox', { name: '主机' }).fill(lan.target.replace('http:', 'tcp:'));
  await dialog.getByRole('textbox', { name: '备注' }).fill('相册的端口');
  await dialog.getByRole('button', { name: buttonName('添加') }).click();
  await dialog.waitFor({ state: 'hidden' });
  const row = page.getByRole('listitem').filter({ hasText: '相册的端口' });
  const url = (await row.getAttribute('data-mapping')) ?? '';
  const port = Number(/^tcp:\/\/localhost:(\d+)$/.exec(url)?.[1]);
  const ask = async (host: string) => {
    try {
      return (await fetch(`http://${host}:${port}/`)).status;
    } catch {
      return 'refused';
    }
  };
  await expect.poll(() => ask('localhost')).toBe('refused');

  await row.getByRole('button', { name: /允许当前网络访问/ }).click();
  const status = row.getByText(/^当前网络已允许至/);
  // The browser chooses IPv4 or IPv6, and only that address was allowed.
  const address = (await status.getAttribute('title')) ?? '';
  const host = address.includes(':') ? `[${address}]` : address;
  await expect.poll(() => ask(host)).toBe(200);
  await page.reload();
  await status.waitFor();

  await row.getByRole('button', { name: /更多操作/ }).click();
  await page.getByRole('menuitem', { name: '验证记录' }).click();
  const records = page.getByRole('region', { name: '验证记录' });
  await records.getByRole('button', { name: /^撤销/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: buttonName('撤销') })
    .click();
  await records.getByText('已撤销', { exact: true }).waitFor();
  await expect.poll(() => ask(host)).toBe('refused');
  await page.getByRole('link', { name: '设备', exact: true }).click();
});

test('an own domain waits for its record, and its row turns green without a reload', async () => {
  const expectSamePage = await forbidReload();
  await deviceCard(DEVICE_NAME).getByRole('button', { name: '添加域名映射' }).click();
  const dialog = page.getByRole('dialog', { name: /添加域名映射/ });
  await dialog.getByText('自有域名').click();
  await dialog.getByRole('textbox', { name: '主机' }).fill(lan.target);
  await dialog.getByRole('textbox', { name: '自有域名' }).fill('家.example.net');
  const add = dialog.getByRole('button', { name: buttonName('添加') });
  await clickForMessage(add, '已添加 家.example.net，等待解析生效');
  const row = page.getByRole('listitem').filter({ hasText: '家.example.net' });
  await row.getByText('等待解析').waitFor();
  await row.getByRole('button', { name: '解析记录 家.example.net' }).click();
  await row.getByText('服务器还没有公网域名').waitFor();

  await inDatabase(product, async (db) => await leadDomainHere(db, 'xn--fct.example.net'));

  await row.getByTitle('解析已生效').waitFor();
  await row.getByText('等待解析').waitFor({ state: 'hidden' });
  await expectSamePage();
});

test('another browser is refused, logs in, and reaches the requested page', async () => {
  const anonymous = await freshProfile(browser);
  const visit = await anonymous.newPage();
  current = visit;
  const wanted = publicUrl('album', '/second/?from=mail');
  await visit.goto(wanted, { waitUntil: 'commit' });

  await visit.getByRole('heading', { name: /^登录后打开 / }).waitFor();
  expect(new URLSearchParams(visit.url().split('?')[1]).get('url')).toBe(wanted);
  await logInThroughForm(visit);

  await visit.getByRole('heading', { name: '第二页' }).waitFor();
  expect(visit.url()).toBe(wanted);
  await anonymous.close();
});

test('kill -9 of the agent is seen as 离线, and its addresses say so', async () => {
  const expectSamePage = await forbidReload();
  await agent.child.kill();

  await deviceCard(DEVICE_NAME).getByText('离线', { exact: true }).waitFor({ timeout: OFFLINE_SEEN_WITHIN_MS });
  await expectSamePage();
  const visit = await owner.newPage();
  current = visit;
  const reply = await visit.goto(publicUrl('album'));
  expect(reply?.status()).toBe(503);
  await visit.getByText('设备不在线').first().waitFor();
  await visit.close();
});

test('the agent comes back as the same device, and everything works again', async () => {
  const expectSamePage = await forbidReload();
  const uid = await deviceCard(DEVICE_NAME).getAttribute('data-device');

  agent = await startAgent(product, { stateDir: agent.stateDir });

  await deviceCard(DEVICE_NAME).getByText('在线', { exact: true }).waitFor({ timeout: 30_000 });
  expect(await deviceCard(DEVICE_NAME).getAttribute('data-device')).toBe(uid);
  expect(await page.getByRole('article').count()).toBe(2);
  await expectSamePage();
  const visit = await owner.newPage();
  current = visit;
  await visit.goto(publicUrl('album'));
  await visit.getByRole('heading', { name: '家庭相册' }).waitFor();
  await visit.close();
});

test('the connection check walks all steps, and names the one that fails', async () => {
  const client = new ApiClient(product);
  await client.logIn();
  const device = await client.waitForDevice('the second device', ({ name }) => name === DEVICE_NAME);
  const checkPath = `/api/user/routers/${device.id}/check_domain_connection/`;
  const sound = device.mappings.find(({ prefix }) => prefix === 'album');
  expect((await client.call('POST', checkPath, { record: sound?.id })).json).toMatchObject({ ok: true, step: 'visit' });

  const dead = await client.createMapping({
    router: device.id,
    kind: 'http',
    prefix: 'nobody',
    target: 'http://127.0.0.1:9',
    policy: 'public',
  });
  const failed = await client.call('POST', checkPath, { record: dead.id });
  expect(failed.json).toMatchObject({ ok: false, step: 'tcp', hint: expect.stringMatching(/\p{Script=Han}/u) });
});

test('a search stays in the address over Back and a reload, and the launcher opens what it finds', async () => {
  const search = page.getByRole('textbox', { name: /搜索/ });
  await search.fill('album');
  await page.waitForURL(/#\/devices\?q=album$/);
  await mappingRow('echo.localhost').waitFor({ state: 'detached' });
  await mappingRow('album.localhost').waitFor();
  await page.getByRole('link', { name: '验证记录', exact: true }).click();
  await expectTitle('通途 - 验证记录');
  await page.goBack();
  await mappingRow('album.localhost').waitFor();
  expect(await search.inputValue()).toBe('album');
  await page.reload();
  await mappingRow('album.localhost').waitFor();
  expect(await search.inputValue()).toBe('album');
  expect(await mappingRow('echo.localhost').count()).toBe(0);

  await page.getByRole('button', { name: '启动台' }).click();
  const tiles = page.locator('a[data-tile]');
  await tiles.getByText('echo', { exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('album');
  await expect.poll(() => tiles.count()).toBe(1);
  const [opened] = await Promise.all([owner.waitForEvent('page'), page.keyboard.press('Enter')]);
  current = opened;
  await opened.getByRole('heading', { name: '家庭相册' }).waitFor();
  await opened.close();
  await page.getByRole('link', { name: '设备', exact: true }).click();
  await mappingRow('echo.localhost').waitFor();
});

test('a mapping and a device are deleted in the console', async () => {
  await mappingRow('echo.localhost')
    .getByRole('button', { name: /更多操作/ })
    .click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: buttonName('删除') })
    .click();
  await mappingRow('echo.localhost').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: `${DEVICE_NAME} 更多操作` }).click();
  await page.getByRole('menuitem', { name: '删除设备' }).click();
  const dialog = page.getByRole('dialog', { name: '删除设备' });
  await dialog.getByText('album.localhost').first().waitFor();
  await dialog.getByRole('textbox').fill(DEVICE_NAME);
  await dialog.getByRole('button', { name: '删除设备' }).click();
  await deviceCard(DEVICE_NAME).waitFor({ state: 'detached' });
  expect((await agent.child.exited).code).toBeGreaterThan(0);
});

test('after logging out the console is closed again', async () => {
  await page.getByRole('button', { name: /账号菜单/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.waitForURL(/#\/login/);
  const form = page.getByRole('textbox', { name: '账号' });
  await form.waitFor();
  await page.goto(`${product.consoleUrl}/#/devices`);
  await page.waitForURL(/#\/login/);
  await form.waitFor();
});
