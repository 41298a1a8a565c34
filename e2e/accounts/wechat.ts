import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import {
  arriveAt,
  closeAnnouncements,
  freshProfile,
  savePageOnFailure,
  watchErrors,
} from '../support/browser/browser.ts';
import { ApiClient } from '../support/clients/api-client.ts';
import { horizontalOverflow, unnamedControls, untranslatedText } from '../support/screens/page-quality.ts';
import { CODE, SCAN_URL, SECRET, startOtherSsoHost } from '../support/services/other-sso-host.ts';
import { startProduct, type Product } from '../support/product/product.ts';
import { readImage, scanAs, wechatPhone } from '../support/services/wechat-phone.ts';
import { ProfilePool } from '../support/browser/profile-pool.ts';
import { readQrCode } from '../support/browser/qr-code.ts';
import { screenSizes } from '../support/screens/screen-sizes.ts';
import type { Stage } from './stage.ts';

const SOMEONE = '测试用户甲';

export function testWechat(stage: () => Stage): void {
  let product: Product;
  let browser: Browser;
  let desktops: ProfilePool;
  /** Of another browser than WeChat's. */
  let narrow: ProfilePool;
  /** With WeChat. */
  let phones: ProfilePool;
  let current: Page | undefined;

  beforeAll(async () => {
    ({ product, browser } = stage());
    desktops = new ProfilePool(browser, product.consoleUrl, screenSizes.desktop);
    narrow = new ProfilePool(browser, product.consoleUrl, screenSizes.phone);
    phones = new ProfilePool(browser, product.consoleUrl, wechatPhone);
  });

  beforeEach(({ task }) => {
    savePageOnFailure(`wechat-${task.name.slice(0, 30).replaceAll(' ', '-')}`, () => current);
  });

  /** Shows the login in a page of a browser without cookies and storage. */
  async function openLogin(page: Page, query = '', { consoleUrl } = product): Promise<Page> {
    current = page;
    await page.goto(`${consoleUrl}/#/login${query}`);
    await page.getByRole('tab', { name: '微信扫码' }).click();
    await page.getByText('请用微信扫一扫').waitFor();
    return page;
  }

  async function userIdOf(page: Page, { consoleUrl } = product): Promise<unknown> {
    const reply = await page.request.get(`${consoleUrl}/api/login_status/`);
    return ((await reply.json()) as { id: unknown }).id;
  }

  test('after a cancellation on the phone another QR code works, and the page continues to the requested screen', async () => {
    const page = await openLogin(await desktops.take(), `?url=${encodeURIComponent('#/user/info')}`);
    const errors = watchErrors(page);
    const phone = await phones.take();
    const image = await readImage(page);
    await scanAs(phone, image, SOMEONE);
    await phone.getByRole('button', { name: '取消' }).click();
    await page.getByText('已在手机上取消').waitFor();
    await page.getByRole('button', { name: '刷新二维码' }).click();
    const next = await readImage(page);
    expect(next).not.toBe(image);

    await scanAs(phone, next, SOMEONE);
    await page.getByText('请在手机上确认').waitFor();
    await phone.getByText('localhost').waitFor();
    expect(await userIdOf(page)).toBe(0);
    await phone.getByRole('button', { name: '确认登录' }).click();

    await phone.getByText('已确认登录').waitFor();
    await page.waitForURL(/#\/user\/info$/);
    expect(await userIdOf(page)).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  test('inside WeChat, with its single view, a refusal leads back to another QR code, and a login to the requested screen', async () => {
    const page = await openLogin(await phones.take(), `?url=${encodeURIComponent('#/user/info')}&aff=7`);
    const link = page.getByRole('link', { name: '在微信中确认登录' });
    const first = await link.getAttribute('href');
    await link.click();
    await page.getByRole('button', { name: SOMEONE }).click();
    await page.getByRole('button', { name: '取消' }).click();
    await page.getByText('已取消登录').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: '返回通途' }).click();
    await page.getByText('请用微信扫一扫').waitFor();
    expect(await link.getAttribute('href')).not.toBe(first);
    expect(await userIdOf(page)).toBe(0);

    await link.click();
    await page.getByRole('button', { name: SOMEONE }).click();
    const posted = page.waitForRequest((request) => new URL(request.url()).pathname === '/custom/login/');
    await page.getByRole('button', { name: '确认登录' }).click();
    expect((await posted).postDataJSON()).toMatchObject({ method: 'wechat', aff: '7' });
    await arriveAt(page, /#\/user\/info$/);
    expect(await userIdOf(page)).toBeGreaterThan(0);
    expect(page.context().pages()).toHaveLength(1);
  });

  test('inside WeChat an account is bound, too, and its owner returns to the same screen', async () => {
    const client = new ApiClient(product);
    const { id } = await client.logIn();
    await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
    const page = await phones.take();
    current = page;
    await page.context().addCookies(client.browserCookies());
    await page.goto(`${product.consoleUrl}/#/user/info`);
    await page.getByRole('button', { name: '绑定微信' }).click();
    await page.getByRole('link', { name: '在微信中确认登录' }).click();
    await page.getByRole('button', { name: '没有 UnionID' }).click();
    await page.getByRole('button', { name: '确认登录' }).click();

    await page.getByText(/测试用户丙.* 绑定/).waitFor();
    expect(page.url()).toMatch(/#\/user\/info$/);
  });

  test('a confirmation during a network outage is not lost, and a logout notifies the single sign-on host first', async () => {
    const page = await openLogin(await desktops.take());
    const phone = await phones.take();
    await scanAs(phone, await readImage(page), SOMEONE);
    await page.getByText('请在手机上确认').waitFor();

    // Open requests still arrive: the page receives the event and cannot fetch its code.
    await page.route('**/sso/**', (route) => route.abort('internetdisconnected'));
    await phone.getByRole('button', { name: '确认登录' }).click();
    await phone.getByText('已确认登录').waitFor();
    await page.getByText('网络已断开，正在重新连接').waitFor();
    await page.unroute('**/sso/**');
    await page.waitForURL(/#\/devices$/);

    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await closeAnnouncements(page);
    await page.getByRole('button', { name: /^账号菜单/ }).click();
    await page.getByText('退出登录').click();
    await page.waitForURL(/#\/login/);
    const order = ['/sso/wechat/logout', '/custom/logout'].map((path) => asked.indexOf(path));
    expect(order[0]).toBeGreaterThanOrEqual(0);
    expect(order[1]).toBeGreaterThan(order[0] ?? 0);
  });

  test('two tabs of one browser each show a QR code, and either may be scanned', async () => {
    const [first, phone] = [await openLogin(await desktops.take()), await phones.take()];
    const second = await openLogin(await first.context().newPage());
    for (const scanned of [first, second]) {
      await scanAs(phone, await readImage(scanned), SOMEONE);
      await phone.getByRole('button', { name: '确认登录' }).click();
      await arriveAt(scanned, /#\/devices$/);
    }
  });

  test('after two minutes the QR code expires; a refresh shows another', async () => {
    const context = await freshProfile(browser);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    current = page;
    await page.clock.install();
    await page.goto(`${product.consoleUrl}/#/login`);
    await page.getByRole('tab', { name: '微信扫码' }).click();
    const image = await readImage(page);

    await page.clock.fastForward(121_000);

    await page.getByText('二维码已失效').waitFor();
    await page.getByRole('button', { name: '刷新二维码' }).click();
    await expect.poll(async () => await readImage(page)).not.toBe(image);
  });

  test.each([
    ['desktop', 'light'],
    ['phone', 'dark'],
  ] as const)('on a %s in %s, every state of the QR code and of the phone is complete', async (size, colorScheme) => {
    const page = await (size === 'desktop' ? desktops : narrow).take();
    const phone = await phones.take();
    for (const shown of [page, phone]) await shown.emulateMedia({ colorScheme });
    await openLogin(page);
    const look = async (shown: Page, name: string) => {
      expect([name, await horizontalOverflow(shown)]).toEqual([name, []]);
      expect([name, await unnamedControls(shown)]).toEqual([name, []]);
      expect([name, await untranslatedText(shown)]).toEqual([name, []]);
      expect([name, await seriousBarriers(shown)]).toEqual([name, []]);
    };

    await look(page, 'waiting');
    const image = await readImage(page);
    const code = page.getByRole('img', { name: '微信登录二维码' });
    expect(await readQrCode(code)).toEqual({ text: image, level: 'L' });
    await phone.goto(image);
    await page.getByText('请在手机上确认').waitFor();
    await look(page, 'scanned');
    await phone.getByRole('button', { name: SOMEONE }).click();
    await phone.getByRole('button', { name: '确认登录' }).waitFor();
    await look(phone, 'confirm');
    await phone.getByRole('button', { name: '取消' }).click();
    await phone.getByText('已取消登录').waitFor();
    await look(phone, 'cancelled-phone');
    await page.getByText('已在手机上取消').waitFor();
    await look(page, 'cancelled');
    await page.goto(`${product.consoleUrl}/sso/wechat/scan?t=${'0'.repeat(32)}`);
    await look(page, 'unknown');
  });

  test('a single sign-on host of another origin logs somebody in, and receives nothing else from the browser', async () => {
    await using host = await startOtherSsoHost();
    await using other = await startProduct({
      args: ['--no-local-agent'],
      env: { SSO_URL: host.url, SSO_SECRET: SECRET },
    });
    const page = await openLogin(await desktops.take(), '', other);
    const errors = watchErrors(page);
    expect(await readQrCode(page.getByRole('img', { name: '微信登录二维码' }))).toMatchObject({ text: SCAN_URL });

    host.reportPhone('scanned');
    await page.getByText('请在手机上确认').waitFor();
    host.reportPhone('confirmed');

    await page.waitForURL(/#\/devices$/);
    expect(await userIdOf(page, other)).toBeGreaterThan(0);
    expect(errors).toEqual([]);
    const ofBrowser = host.calls.filter(({ path }) => path !== '/sso/wechat/identity');
    expect(new Set(ofBrowser.map(({ path }) => path))).toEqual(new Set(['/sso/wechat/login', '/sso/events']));
    expect(ofBrowser.map(({ headers }) => [headers.cookie, headers.referer])).toEqual(
      ofBrowser.map(() => [undefined, undefined]),
    );
    const [identity] = host.calls.filter(({ path }) => path === '/sso/wechat/identity');
    expect(identity?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(JSON.parse(identity?.body ?? '')).toMatchObject({ code: CODE });
  });
}
