import { must } from '@tongtu/base';
import type { LoginSession, Mapping, MappingCreate } from '@tongtu/contract';
import type { Browser, BrowserContext, Locator, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  buttonName,
  freshProfile,
  savePageOnFailure,
  launchBrowser,
  loggedInProfile,
  logInThroughForm,
} from './support/browser/browser.ts';
import { desktopTest } from './support/browser/desktop-test.ts';
import { CaptchaRobot } from './support/browser/captcha-robot.ts';
import { request } from './support/clients/http-request.ts';
import { LAN_HEADING, startLanPage, type LanPage } from './support/services/lan-page.ts';
import { forgetLimits, openDatabase } from './support/product/database.ts';
import { measurePageLoad } from './support/browser/page-load.ts';
import { createPerson } from './support/person.ts';
import { adminPassword, startProduct, type Product } from './support/product/product.ts';
import { screenSizeNames, screenSizes } from './support/screens/screen-sizes.ts';

// The flows of the gate, for owner and visitor; gate-policies.system.ts has what needs no browser. Most of them run on a
// desktop only: a phone differs in the owner's row, menu and dialogs, which one of the flows uses.

const friend = { account: 'friend', email: 'friend@example.com' };

let product: Product;
let browser: Browser;
let lan: LanPage;
let client: ApiClient;
let router: number;

beforeAll(async () => {
  [product, browser, lan] = await Promise.all([startProduct(), launchBrowser(), startLanPage()]);
  client = new ApiClient(product);
  const { id } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  router = (await client.waitForWelcomeDevice()).device.id;
  await createPerson(product, friend);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([lan, product].map((part) => part?.[Symbol.asyncDispose]()));
});

describe.each(screenSizeNames)('on a %s', (size) => {
  const testOnDesktop = desktopTest(size);
  let owner: BrowserContext;
  let console: Page;
  /** The page to save when the test fails. */
  let current: Page | undefined;
  /**
   * The end of the test's mapping names. A second try uses another one, because the mappings of the first one still
   * exist.
   */
  let nameEnd = '';

  beforeAll(async () => {
    owner = await loggedInProfile(browser, client, screenSizes[size]);
    console = await owner.newPage();
  });

  afterAll(() => owner?.close());

  beforeEach(async ({ task }) => {
    await forgetLimits(product);
    current = console;
    nameEnd = `${size}-${(task.result?.retryCount ?? 0) + 1}`;
    const name = `gate-${size}-${task.name.slice(0, 30).replaceAll(' ', '-')}`;
    saveLogOnFailure(name, product.child);
    savePageOnFailure(name, () => current);
  });

  async function createPage(name: string, given: Partial<MappingCreate> = {}): Promise<Mapping> {
    return await client.createMapping({
      router,
      kind: 'http',
      prefix: `${name}-${nameEnd}`,
      target: lan.target,
      ...given,
    });
  }

  /** A browser without cookies. */
  async function openAsAnonymous(url: string): Promise<Page> {
    const anonymous = await freshProfile(browser, screenSizes[size]);
    onTestFinished(() => anonymous.close());
    const page = await anonymous.newPage();
    current = page;
    await page.goto(url, { waitUntil: 'commit' });
    return page;
  }

  /** Opens the mapping until the relay, which receives each change, redirects the page to the console. */
  async function expectTurnedAway(page: Page, url: string): Promise<void> {
    current = page;
    const open = async () => {
      await page.goto(url, { waitUntil: 'commit' });
      return new URL(page.url()).origin;
    };
    await expect.poll(open).toBe(new URL(product.consoleUrl).origin);
  }

  const asksForLogin = (page: Page) => page.getByRole('heading', { name: /^登录后打开 / }).waitFor();
  const sees = (page: Page) => page.getByRole('heading', { name: LAN_HEADING }).waitFor();

  /** The console with this mapping on the screen. */
  async function showMapping({ domain }: Mapping): Promise<Locator> {
    current = console;
    // Another screen in between closes dialogs and loads the devices again.
    await console.goto(`${product.consoleUrl}/#/announcements`);
    await expect.poll(() => console.title()).toBe('通途 - 公告');
    await console.goto(`${product.consoleUrl}/#/devices?domain=${domain}`);
    const row = console.locator(`[data-mapping="${domain}"]`);
    await row.waitFor();
    return row;
  }

  async function openFromMenu(mapping: Mapping, item: string): Promise<Locator> {
    const row = await showMapping(mapping);
    await row.getByRole('button', { name: /更多操作/ }).click();
    await console.getByRole('menuitem', { name: item }).click();
    const dialog = console.getByRole('dialog', { name: new RegExp(item) });
    await dialog.waitFor();
    return dialog;
  }

  async function setPassword(mapping: Mapping, password: string): Promise<void> {
    const row = await showMapping(mapping);
    await row.getByRole('button', { name: /^修改/ }).click();
    const dialog = console.getByRole('dialog', { name: '修改域名映射' });
    await dialog.getByRole('radio', { name: /需访问密码/ }).check();
    await dialog.getByRole('textbox', { name: '访问密码' }).fill(password);
    await dialog.getByRole('button', { name: buttonName('保存') }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async function enterPassword(page: Page, password: string): Promise<void> {
    await page.getByLabel('访问密码', { exact: true }).fill(password);
    await page.getByRole('button', { name: buttonName('进入') }).click();
  }

  async function confirm(word: string): Promise<void> {
    const dialog = console.getByRole('dialog').last();
    await dialog.getByRole('button', { name: buttonName(word) }).click();
  }

  /** Requests that do not wait for each other overlap in this network, however busy the machine is. */
  const slowNetwork = { kilobitsPerSecond: 4000, latencyMs: 200 };

  test('the gate and the login can be used after a small part of the console, and nothing jumps', async () => {
    const { url } = await createPage('light');
    const measure = async (place: string, usable: string) => {
      const anonymous = await freshProfile(browser, screenSizes[size]);
      onTestFinished(() => anonymous.close());
      current = await anonymous.newPage();
      return await measurePageLoad(current, `${product.consoleUrl}/${place}`, usable, slowNetwork);
    };
    const gate = await measure(`#/check?url=${encodeURIComponent(url)}`, 'input[name=account]');
    // With headers and replies. At 400 kbit/s, 50 KB arrive in a second.
    expect(gate.kilobytes).toBeLessThan(34);
    expect(gate.serialStages).toBeLessThanOrEqual(3);
    expect(gate.layoutShift).toBeLessThan(0.02);
    const login = await measure('#/login', 'input[name=account]');
    expect(login.kilobytes).toBeLessThan(50);
    expect(login.serialStages).toBeLessThanOrEqual(3);
    expect(login.layoutShift).toBeLessThan(0.02);
  });

  test('the devices can be used after a part of the console, and nothing jumps', async () => {
    // The first load of the owner's page; the tests below go on with it.
    const devices = await measurePageLoad(console, `${product.consoleUrl}/#/devices`, 'article');
    expect(devices.scriptKilobytes).toBeLessThanOrEqual(337);
    expect(devices.layoutShift).toBeLessThan(0.02);
    const launcher = await measurePageLoad(console, `${product.consoleUrl}/?1#/devices?view=launcher`, 'main li a');
    const [scriptAsked = 0, listAsked = 0] = await console.evaluate(() => {
      const requests = performance.getEntriesByType('resource');
      return ['/launcher-', '/api/user/routers/'].map(
        (part) => requests.find(({ name }) => name.includes(part))?.startTime,
      );
    });
    expect(scriptAsked).toBeLessThan(listAsked);
    expect(launcher.layoutShift).toBeLessThan(0.02);
  });

  testOnDesktop(
    'after the login the owner reaches the requested page, until the session is ended elsewhere',
    async () => {
      const { url } = await createPage('owner');
      const wanted = `${url}/photos/?year=2026#last`;
      const page = await openAsAnonymous(wanted);
      await asksForLogin(page);
      await logInThroughForm(page);
      await sees(page);
      expect(page.url()).toBe(wanted);

      const { json } = await client.call('GET', '/api/user/sessions/');
      const [newest] = (json as LoginSession[]).toSorted((one, other) => other.id - one.id);
      await client.call('DELETE', `/api/user/sessions/${must(newest, 'the login').id}/`);
      await expectTurnedAway(page, url);
      await asksForLogin(page);
    },
  );

  testOnDesktop('a member comes in with an account of their own, and no more once removed', async () => {
    const mapping = await createPage('member');
    const page = await openAsAnonymous(mapping.url);
    await asksForLogin(page);
    await logInThroughForm(page, adminPassword, friend.account);
    await page.getByText('当前账号不能打开这个地址').waitFor();

    const dialog = await openFromMenu(mapping, '分享');
    await dialog.getByRole('tab', { name: '成员' }).click();
    await dialog.getByRole('textbox', { name: '手机号或邮箱' }).fill(friend.email.toUpperCase());
    await dialog.getByRole('button', { name: buttonName('添加') }).click();
    await dialog.getByRole('listitem', { name: friend.email }).waitFor();
    current = page;
    await page.goto(mapping.url);
    await sees(page);

    current = console;
    await dialog.getByRole('button', { name: `移除 ${friend.email}` }).click();
    await confirm('移除');
    await dialog.getByText('还没有成员').waitFor();
    await expectTurnedAway(page, mapping.url);
    await page.getByText('当前账号不能打开这个地址').waitFor();

    // The owner sees who was refused and why: before the membership, and after it.
    current = console;
    await console.goto(`${product.consoleUrl}/#/record?mapping=${mapping.id}`);
    await console.getByText('被拒绝的访问', { exact: true }).click();
    const refused = console.locator(`[data-reason][aria-label^="${friend.account}"]`);
    await expect.poll(async () => await refused.count()).toBe(2);
    for (const reason of ['账号没有权限', '账号的权限已经结束'])
      await refused.getByText(reason, { exact: true }).waitFor();
  });

  testOnDesktop('an account asks for access, and its page opens once the owner allows it', async () => {
    const mapping = await createPage('asked');
    const page = await openAsAnonymous(mapping.url);
    await page.waitForURL(/#\/(login|check)\?/);
    await logInThroughForm(page, adminPassword, friend.account);
    await page.getByRole('textbox', { name: '给所有者的留言' }).fill('我是小王');
    await page.getByRole('button', { name: '申请访问' }).click();
    await page.getByText('已申请，等待所有者同意').waitFor();

    await showMapping(mapping);
    const asked = console.getByRole('listitem', { name: `${friend.account} 申请访问 ${mapping.domain}` });
    await asked.getByText('我是小王').waitFor();
    await asked.getByRole('button', { name: /^允许/ }).click();
    await asked.waitFor({ state: 'hidden' });
    current = page;
    await sees(page);
  });

  testOnDesktop(
    'a mapping opens at once in a browser that is logged in, with the fragment of its address',
    async () => {
      const { url } = await createPage('at-once');
      const page = await owner.newPage();
      current = page;
      onTestFinished(() => page.close());
      const pages: string[] = [];
      page.on('request', (sent) => {
        if (sent.isNavigationRequest()) pages.push(new URL(sent.url()).pathname);
      });
      await page.goto(`${url}/photos/?year=2026#last`);
      await sees(page);
      expect(page.url()).toBe(`${url}/photos/?year=2026#last`);
      expect(pages).toEqual(['/photos/', '/custom/enter', '/.tongtu/verify', '/photos/']);
    },
  );

  testOnDesktop(
    'somebody without an account joins by a link, sees what is shared, and nothing once disabled',
    async () => {
      const mapping = await createPage('family');
      const contact = `mama-${nameEnd}@example.com`;
      const name = `妈妈-${nameEnd}`;
      const dialog = await openFromMenu(mapping, '分享');
      await dialog.getByRole('tab', { name: '成员' }).click();
      await dialog.getByRole('textbox', { name: '手机号或邮箱' }).fill(contact);
      await dialog.getByRole('button', { name: buttonName('添加') }).click();
      const member = dialog.getByRole('listitem', { name: contact });
      await member.getByText('待加入').waitFor();
      await member.getByRole('button', { name: /邀请链接$/ }).click();
      const link = await member.getByText('/#/join?token=').innerText();

      const page = await openAsAnonymous(link);
      await page.getByText(`admin 邀请您打开 ${mapping.domain}`).waitFor();
      await page.getByLabel('用户名', { exact: true }).fill(name);
      await page.getByLabel('密码', { exact: true }).fill('a lion in the garden');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: '创建账号并登录' }).click();
      await page.waitForURL(/#\/devices$/);
      const shared = page.getByRole('region', { name: '他人共享给我的' });
      await shared.getByRole('link', { name: mapping.domain }).waitFor();
      await member.getByText('已加入').waitFor();
      await page.goto(mapping.url);
      await sees(page);

      const { id } = (await (await page.request.get(`${product.consoleUrl}/api/login_status/`)).json()) as {
        id: number;
      };
      await client.call('POST', `/api/manage/users/${id}/disabled/`);
      await expectTurnedAway(page, mapping.url);
      await asksForLogin(page);
      await logInThroughForm(page, 'a lion in the garden', name);
      await page.getByText('这个账号已被停用，请联系管理员').waitFor();
    },
  );

  const isPasswordReply = (response: Response): boolean =>
    response.request().method() === 'POST' && new URL(response.url()).pathname === '/custom/check/';

  testOnDesktop(
    'a password lets visitors in until it is changed; after three wrong ones the next try needs a captcha',
    async () => {
      const mapping = await createPage('password');
      await setPassword(mapping, 'open sesame');
      const page = await openAsAnonymous(mapping.url);
      await page.getByText('请输入访问密码').waitFor();
      await enterPassword(page, 'open sesame');
      await sees(page);

      await setPassword(mapping, 'another sesame');
      await expectTurnedAway(page, mapping.url);
      await using database = await openDatabase(product);
      const robot = new CaptchaRobot(page, database.db);
      for (const guess of ['open sesame', 'sesame', 'simsim']) {
        const answered = page.waitForResponse(isPasswordReply);
        await enterPassword(page, guess);
        expect((await answered).status()).toBe(403);
        await page.getByText('访问密码不正确').waitFor();
      }
      await enterPassword(page, 'another sesame');
      await robot.dialog.waitFor();
      await robot.dialog.getByRole('button', { name: '关闭' }).click();
      await page.getByText('请完成人机验证后再试').waitFor();
      await enterPassword(page, 'another sesame');
      await robot.solve();
      await sees(page);
    },
  );

  test('a share link lets in as many browsers as it was made for, without an account', async () => {
    const mapping = await createPage('share');
    const dialog = await openFromMenu(mapping, '分享');
    await dialog.getByRole('textbox', { name: '备注' }).fill('给妈妈');
    await dialog.getByRole('textbox', { name: '最多可用次数' }).fill('1');
    await dialog.getByRole('button', { name: '新建链接' }).click();
    const link = dialog.getByRole('listitem', { name: '给妈妈' });
    await link.getByRole('img', { name: '给妈妈的二维码' }).waitFor();
    const url = await link.getByText(/\/s\//).innerText();

    const first = await openAsAnonymous(url);
    await sees(first);
    expect(first.url()).toBe(`${mapping.url}/`);
    await link.getByText('次数已用完').waitFor();
    const second = await openAsAnonymous(url);
    await second.getByText('分享链接已失效').waitFor();
    await second.getByRole('button', { name: '用其他方式打开' }).click();
    await asksForLogin(second);
  });

  testOnDesktop('a client that cannot log in is marked and shown to the waiting owner', async () => {
    const mapping = await createPage('client');
    const ask = async () =>
      (await request({ port: product.ports.http, host: `${mapping.domain}:${product.ports.http}`, path: '/' })).status;
    await expect.poll(ask).toBe(403);
    const dialog = await openFromMenu(mapping, '放行程序');
    await dialog.getByRole('button', { name: buttonName('开始') }).click();
    await dialog.getByText('正在等待程序连接…').waitFor();
    await dialog.getByText(/^[12]:\d\d$/).waitFor();
    await expect.poll(ask).toBe(200);
    await dialog.getByText('已放行 127.0.0.1').waitFor();
    expect(await ask()).toBe(200);
    await dialog.getByRole('link', { name: '查看验证记录' }).click();
    await console.getByRole('region', { name: '验证记录' }).getByText('放行程序').waitFor();
  });

  testOnDesktop('revoking a visitor ends the connections they have open', async () => {
    const mapping = await createPage('revoked');
    const { json } = await client.call('POST', `/api/user/records/${mapping.id}/shares/`, {
      label: '来访的客人',
      valid_hours: 1,
    });
    const page = await openAsAnonymous((json as { url: string }).url);
    await sees(page);
    const closed = page.evaluate(
      async (url) => {
        const socket = new WebSocket(url);
        await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
        const received = new Promise((resolve) => Object.assign(socket, { onmessage: resolve }));
        socket.send('你好');
        await received;
        document.title = 'connected';
        await new Promise((resolve) => Object.assign(socket, { onclose: resolve }));
        return true;
      },
      mapping.url.replace('http:', 'ws:'),
    );
    await page.waitForFunction(() => document.title === 'connected');

    current = console;
    await console.goto(`${product.consoleUrl}/#/record?mapping=${mapping.id}`);
    await console.getByRole('button', { name: /^撤销 来访的客人/ }).click();
    await confirm('撤销');
    expect(await closed).toBe(true);
    await console.getByText('已撤销', { exact: true }).last().waitFor();
  });

  testOnDesktop('the error page says why an address does not open, and leads to what helps', async () => {
    const { id, domain } = await createPage('paused');
    await client.call('PATCH', `/api/user/records/${id}/`, { enabled: false });
    const look = async (words: string) => {
      await console.goto(`${product.consoleUrl}/#/errorport?invalidDomain=${domain}`);
      await console.getByText(words).first().waitFor();
    };
    await look('这个地址已停用');
    await console.getByRole('button', { name: '去启用' }).click();
    await console.getByRole('switch', { name: `启用 ${domain}` }).click();
    await expect
      .poll(async () => (await client.devices()).flatMap(({ mappings }) => mappings))
      .toContainEqual(expect.objectContaining({ id, enabled: true }));
    await look('设备现在在线');
    await console.getByRole('button', { name: '重试打开' }).click();
    await sees(console);
  });
});
