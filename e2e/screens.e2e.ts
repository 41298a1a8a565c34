import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { enrolDevice, type Agent } from './support/agent.ts';
import { ApiClient } from './support/api-client.ts';
import { keepArtefact, keepLogOnFailure } from './support/artefacts.ts';
import { freshProfile, keepPageOnFailure, launchBrowser, logInThroughForm, watchErrors } from './support/browser.ts';
import { drawsChinese, horizontalOverflow, untranslatedText } from './support/page-quality.ts';
import { startProduct, type Product } from './support/product.ts';

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
const DEVICE_NAME = '客厅的群晖';

let product: Product;
let browser: Browser;
let agent: Agent;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
  const client = new ApiClient(product);
  const { id, token } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const enrolled = await enrolDevice(product, client, { token, name: DEVICE_NAME });
  agent = enrolled.agent;
  const { device } = enrolled;
  const mapping = { router: device.id, kind: 'http', policy: 'owner' } as const;
  await client.createMapping({ ...mapping, prefix: 'nas', target: 'http://192.168.1.10:5000', remark: '群晖管理页' });
  await client.createMapping({
    ...mapping,
    prefix: 'a'.repeat(63),
    target: 'http://a-long-name-for-a-machine.home.arpa:65535',
    remark: '长'.repeat(100),
  });
  // Opened below, so it leads to this machine: nobody listens there.
  const closed = { kind: 'https', target: 'https://127.0.0.1:9', policy: 'public' } as const;
  await client.createMapping({ router: device.id, prefix: 'camera', ...closed });
});

afterAll(async () => {
  await browser?.close();
  await agent?.child[Symbol.asyncDispose]();
  await product?.[Symbol.asyncDispose]();
});

type Screen = { name: string; open: (page: Page) => Promise<void>; isStrangers?: true; allowedErrors?: RegExp };

const screens: Screen[] = [
  { name: 'login', isStrangers: true, open: async (page) => await visit(page, '#/login', '登录控制台') },
  {
    name: 'login-failed',
    isStrangers: true,
    allowedErrors: /401/,
    async open(page) {
      await visit(page, '#/login', '登录控制台');
      await logInThroughForm(page, 'not the password');
      await page.getByText('账号或密码不正确').waitFor();
    },
  },
  {
    name: 'gate',
    isStrangers: true,
    allowedErrors: /403/,
    open: async (page) => await visitMapping(page, 'nas', '请先通过身份验证'),
  },
  {
    name: 'no-mapping',
    isStrangers: true,
    allowedErrors: /404/,
    open: async (page) => await visitMapping(page, 'none', '没有这个地址'),
  },
  {
    name: 'target-refused',
    isStrangers: true,
    allowedErrors: /50[234]/,
    open: async (page) => await visitMapping(page, 'camera', '目标'),
  },
  { name: 'welcome', isStrangers: true, open: async (page) => await visitMapping(page, 'welcome', '通途') },
  { name: 'devices', open: async (page) => await visit(page, '#/devices', DEVICE_NAME) },
  {
    name: 'announcements',
    async open(page) {
      await visit(page, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: '公告' }).click();
      await page.getByRole('dialog', { name: '公告' }).waitFor();
    },
  },
  {
    name: 'add-device',
    async open(page) {
      await visit(page, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: '添加设备' }).click();
      await page.getByText('正在等待您的设备').waitFor();
    },
  },
  {
    name: 'add-mapping',
    async open(page) {
      await visit(page, '#/devices', DEVICE_NAME);
      await page.getByRole('article', { name: DEVICE_NAME }).getByRole('button', { name: '添加域名映射' }).click();
      await page.getByRole('dialog', { name: /添加域名映射/ }).waitFor();
    },
  },
  {
    name: 'test-mapping',
    async open(page) {
      await visit(page, '#/devices', DEVICE_NAME);
      await page.getByRole('button', { name: '检测 camera.localhost' }).click();
      await page.getByText('这一步没有通过').waitFor();
    },
  },
  {
    name: 'delete-device',
    async open(page) {
      await visit(page, '#/devices', DEVICE_NAME);
      await page
        .getByRole('article', { name: DEVICE_NAME })
        .getByRole('button', { name: /更多操作/ })
        .click();
      await page.getByRole('menuitem', { name: '删除设备' }).click();
      await page.getByRole('dialog', { name: '删除设备' }).waitFor();
    },
  },
  {
    name: 'devices-none-found',
    open: async (page) => {
      await visit(page, '#/devices', DEVICE_NAME);
      await page.getByRole('textbox', { name: /搜索/ }).fill('没有这样的设备');
      await page.getByText('没有符合条件的设备').waitFor();
    },
  },
  { name: 'user-info', open: async (page) => await visit(page, '#/user/info', '修改密码') },
  {
    name: 'check-no-such',
    async open(page) {
      const url = `http://none.localhost:${product.ports.http}/`;
      await visit(page, `#/check?url=${encodeURIComponent(url)}`, '没有这个地址');
    },
  },
  {
    name: 'check-foreign',
    allowedErrors: /422/,
    open: async (page) => await visit(page, '#/check?url=https%3A%2F%2Fevil.example', '不能前往这个网址'),
  },
  {
    name: 'errorport-unknown',
    open: async (page) => await visit(page, '#/errorport?invalidDomain=none.localhost', '没有这个地址'),
  },
  {
    name: 'errorport-online',
    open: async (page) => await visit(page, '#/errorport?invalidDomain=nas.localhost', '设备现在在线'),
  },
];

/** Opens a place of the console and waits for words that only its finished screen has. */
async function visit(page: Page, hash: string, words: string): Promise<void> {
  await page.goto(`${product.consoleUrl}/${hash}`);
  await page.getByText(words).first().waitFor();
}

async function visitMapping(page: Page, prefix: string, words: string): Promise<void> {
  // The gate goes on to the console by itself; here the page itself is looked at.
  await page.route('**/*', (route) => (route.request().url().includes('/#/') ? route.abort() : route.continue()));
  await page.goto(`http://${prefix}.localhost:${product.ports.http}/`, { waitUntil: 'commit' });
  await page.getByText(words).first().waitFor();
}

describe.each(Object.keys(sizes) as (keyof typeof sizes)[])('on a %s', (size) => {
  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    let owner: BrowserContext;
    let stranger: BrowserContext;

    beforeAll(async () => {
      const options = {
        viewport: sizes[size],
        colorScheme,
        reducedMotion: 'reduce',
        isMobile: size === 'phone',
        hasTouch: size === 'phone',
      } as const;
      [owner, stranger] = await Promise.all([freshProfile(browser, options), freshProfile(browser, options)]);
      const page = await owner.newPage();
      await page.goto(product.consoleUrl);
      await logInThroughForm(page);
      await page.waitForURL(/#\/devices$/);
      await page.close();
    });

    afterAll(async () => {
      await owner?.close();
      await stranger?.close();
    });

    beforeEach(() => keepLogOnFailure('screens', product.child));

    test.each(screens.map((screen) => [screen.name, screen] as const))(
      '%s is whole, Chinese and free of errors',
      async (name, screen) => {
        const page = await (screen.isStrangers ? stranger : owner).newPage();
        keepPageOnFailure(`screen-${name}-${size}-${colorScheme}`, () => page);
        onTestFinished(() => page.close());
        const errors = watchErrors(page);
        await screen.open(page);
        await page.evaluate(() => document.fonts.ready);
        await keepArtefact(`${name}.${size}.${colorScheme}.png`, await page.screenshot({ animations: 'disabled' }));

        expect(await horizontalOverflow(page)).toEqual([]);
        expect(await untranslatedText(page)).toEqual([]);
        expect(await drawsChinese(page)).toBe(true);
        expect(errors.filter((error) => !screen.allowedErrors?.test(error))).toEqual([]);
      },
    );
  });
});
