import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { CloudApp, type Device } from '@tongtu/contract';
import { RDP_SERVER, type RdpServer, startRdpServer } from '@tongtu/gateway/testing/rdp-server';
import { shadowProgram, startShadowServer } from '@tongtu/gateway/testing/shadow-server';
import { startVncServer, VNC_SQUARE, type VncServer } from '@tongtu/gateway/testing/vnc-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buttonName, watchErrors } from '../support/browser/browser.ts';
import { DesktopPage } from '../support/browser/desktop-page.ts';
import type { ApiClient } from '../support/clients/api-client.ts';
import type { Product } from '../support/product/product.ts';
import { saveScreenshot } from '../support/screens/check-screen.ts';
import { waitFor } from '../support/wait-for.ts';
import { resetPage, type Stage } from './stage.ts';

type NewApp = Pick<CloudApp, 'kind' | 'name' | 'port'> & { username?: string; password?: string };

const password = 'geheim12';
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 720 } };

export function testDesktops(stage: () => Stage): void {
  let product: Product;
  let client: ApiClient;
  let device: Device;
  let page: Page;
  let vnc: VncServer;
  let rdp: RdpServer | undefined;

  beforeAll(async () => {
    ({ product, client, device, page } = stage());
    vnc = await startVncServer({ password, hasTerminal: true });
    if (existsSync(RDP_SERVER)) rdp = await startRdpServer(vnc.port);
  });

  afterAll(async () => {
    await rdp?.[Symbol.asyncDispose]();
    await vnc?.[Symbol.asyncDispose]();
  });

  async function createApp(app: NewApp) {
    const { username = '', password: stored, ...fields } = app;
    const secrets = stored === undefined ? {} : { password: stored };
    const body = { router: device.id, host: '127.0.0.1', options: { username }, secrets, ...fields };
    const reply = await client.call('POST', '/api/user/cloud_apps/?format=json', body);
    expect(reply.status, reply.text).toBe(201);
    return CloudApp.parse(reply.json);
  }

  async function openApp(app: CloudApp): Promise<DesktopPage> {
    await page.goto('about:blank');
    await page.goto(`${product.consoleUrl}/#/apps/${app.id}`);
    await page.getByRole('heading', { name: app.name }).waitFor();
    return new DesktopPage(page);
  }

  /** Shows the page in both themes and sizes. */
  async function showInAllLooks(name: string): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await saveScreenshot(`${name}-${size}-${scheme}.png`, page);
      }
    }
    await resetPage(stage());
  }

  const typed = async (text: string) =>
    await waitFor(`the desktop gets ${text}`, 15_000, () => Promise.resolve(vnc.typed().includes(text)));

  /** A square on the desktop has another colour after a click, and after a tap with a finger. */
  async function expectAnswerToClick(desktop: DesktopPage): Promise<void> {
    const before = await desktop.colourAt(VNC_SQUARE);
    await desktop.clickPixel(VNC_SQUARE);
    await expect.poll(() => desktop.colourAt(VNC_SQUARE)).not.toBe(before);
    const clicked = await desktop.colourAt(VNC_SQUARE);
    await desktop.tapPixel(VNC_SQUARE);
    await expect.poll(() => desktop.colourAt(VNC_SQUARE)).not.toBe(clicked);
  }

  test('VNC with a stored password: the desktop appears, and takes clicks, keys, Chinese and the clipboard', async () => {
    const errors = watchErrors(page);
    const desktop = await openApp(await createApp({ kind: 'vnc', name: '客厅电脑', port: vnc.port, password }));
    const before = await desktop.waitUntilDrawn();
    await expectAnswerToClick(desktop);
    await desktop.click(300, 200);
    await page.keyboard.type('echo Hello');
    await desktop.compose("ni'hao", '你好');
    await page.keyboard.press('Enter');
    await typed('echo Hello你好\n');
    await desktop.waitForChange(before);

    await page.getByRole('button', { name: '剪贴板' }).click();
    const panel = page.getByRole('region', { name: '剪贴板' });
    await panel.getByLabel('发送到桌面的剪贴板').fill('从本机复制');
    await panel.getByRole('button', { name: buttonName('发送') }).click();
    await panel.getByRole('button', { name: buttonName('关闭') }).click();
    const beforePaste = await desktop.click(300, 200).then(() => desktop.waitUntilDrawn());
    await page.keyboard.press('Shift+Insert');
    await desktop.waitForChange(beforePaste);
    await page.keyboard.press('Enter');
    await typed('从本机复制\n');

    await desktop.click(15, 12, { clickCount: 2 }); // selects, which copies
    await page.getByRole('button', { name: '剪贴板' }).click();
    await expect.poll(() => panel.getByLabel('桌面上复制的文字').inputValue()).toContain('echo');
    await showInAllLooks('vnc-clipboard');
    await panel.getByRole('button', { name: buttonName('关闭') }).click();

    await page.getByRole('button', { name: '只看不操作' }).click();
    await desktop.click(300, 200);
    await page.keyboard.type('unseen');
    await page.getByRole('button', { name: '只看不操作' }).click();
    await desktop.click(300, 200);
    await page.keyboard.type('seen again\n');
    await typed('\nseen again\n');
    expect(vnc.typed()).not.toContain('unseen');
    await showInAllLooks('vnc');
    expect(errors).toEqual([]);
  });

  test('VNC that asks: a wrong password is reported in Chinese, the right one opens the desktop', async () => {
    const desktop = await openApp(await createApp({ kind: 'vnc', name: '书房电脑', port: vnc.port }));
    const form = page.getByRole('region', { name: '登录目标' });
    await form.getByLabel('密码').fill('falsch');
    await form.getByRole('button', { name: buttonName('登录') }).click();
    await form.getByText('目标拒绝了登录，请检查后重新输入。').waitFor();
    await showInAllLooks('vnc-refused');
    await form.getByLabel('密码').fill(password);
    await form.getByRole('button', { name: buttonName('登录') }).click();
    await desktop.waitUntilDrawn();
    await page.getByRole('button', { name: '发送特殊按键' }).click();
    await showInAllLooks('vnc-keys');
  });

  test('VNC with a wrong stored password, and a target that is off, say why in Chinese', async () => {
    await openApp(await createApp({ kind: 'vnc', name: '旧密码', port: vnc.port, password: 'falsch' }));
    await page.getByText('用户名或密码不正确，或目标不允许这种登录方式').waitFor();
    await openApp(await createApp({ kind: 'vnc', name: '已关机', port: 1 }));
    await page.getByText('目标拒绝了连接，请检查地址、端口和服务是否已启动').waitFor();
  });

  test('RDP: the desktop appears after the password, and takes clicks, keys and the clipboard', async ({ skip }) => {
    if (rdp === undefined) return skip('xrdp is not installed');
    const errors = watchErrors(page);
    const desktop = await openApp(
      await createApp({ kind: 'rdp', name: '办公电脑', port: rdp.port, username: 'lilei' }),
    );
    const form = page.getByRole('region', { name: '登录目标' });
    await form.getByLabel('密码').fill(password);
    await form.getByRole('button', { name: buttonName('登录') }).click();
    const before = await desktop.waitUntilDrawn();
    await expectAnswerToClick(desktop);
    await desktop.click(300, 200);
    await page.keyboard.type('over rdp\n');
    await typed('over rdp\n');
    await desktop.waitForChange(before);

    await page.getByRole('button', { name: '剪贴板' }).click();
    const panel = page.getByRole('region', { name: '剪贴板' });
    await panel.getByLabel('发送到桌面的剪贴板').fill('copied here');
    await panel.getByRole('button', { name: buttonName('发送') }).click();
    await panel.getByRole('button', { name: buttonName('关闭') }).click();
    const beforePaste = await desktop.click(300, 200).then(() => desktop.waitUntilDrawn());
    await page.keyboard.press('Shift+Insert');
    await desktop.waitForChange(beforePaste);
    await page.keyboard.press('Enter');
    await typed('copied here\n');
    await showInAllLooks('rdp');
    expect(errors).toEqual([]);

    // What xrdp sends of each change is as wide as its text: no pixel may be elsewhere than VNC shows it.
    const terminal = { x: 0, y: 0, width: 600, height: 300 };
    const drawn = await desktop.lookOf(terminal);
    const vncApp = await createApp({ kind: 'vnc', name: '同一台电脑', port: vnc.port, password });
    const shown = await openApp(vncApp);
    await shown.waitUntilDrawn();
    await expect.poll(() => shown.lookOf(terminal)).toBe(drawn);
  });

  test('RDP with NLA: a wrong password is reported in Chinese, the right one opens the desktop', async ({ skip }) => {
    if (shadowProgram === undefined) return skip('freerdp2-shadow-x11 is not installed');
    await using target = await startShadowServer(vnc.display, { username: 'hanmeimei', password: '密码 geheim' });
    const app = await createApp({ kind: 'rdp', name: '财务电脑', port: target.port, username: 'hanmeimei' });
    const desktop = await openApp(app);
    const form = page.getByRole('region', { name: '登录目标' });
    await form.getByLabel('密码').fill('falsch');
    await form.getByRole('button', { name: buttonName('登录') }).click();
    await form.getByText('目标拒绝了登录，请检查后重新输入。').waitFor();
    await showInAllLooks('rdp-refused');
    await form.getByLabel('密码').fill('密码 geheim');
    await form.getByRole('button', { name: buttonName('登录') }).click();
    await desktop.waitUntilDrawn();
    await expectAnswerToClick(desktop);
    await showInAllLooks('rdp-nla');
  });
}
