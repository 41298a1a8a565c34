import type { BrowserContext, Page } from 'playwright-core';
import { CloudApp, type Device } from '@tongtu/contract';
import { serveTelnet, telnetdProgram } from '@tongtu/gateway/testing/telnetd';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAnew, watchErrors } from '../support/browser/browser.ts';
import type { ApiClient } from '../support/clients/api-client.ts';
import type { Product } from '../support/product/product.ts';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import { horizontalOverflow } from '../support/screens/page-quality.ts';
import { startTcpService } from '../support/services/port-services.ts';
import { type SshServer, startSshServer } from '../support/services/ssh-server.ts';
import { deleteApps, type Stage } from './stage.ts';

const appName = '书房的电脑';
const prompt = '[$#]';

/** Waits for a line of output that ends like this. The emulator draws a line as several elements. */
async function waitForLine(tab: Page, end: string): Promise<void> {
  const line = new RegExp(String.raw`${end}\s*$`, 'u');
  await tab.locator('.xterm-rows > div').filter({ hasText: line }).first().waitFor();
}

export function testTerminals(stage: () => Stage): void {
  let product: Product;
  let ssh: SshServer;
  let owner: BrowserContext;
  let phone: BrowserContext;
  let page: Page;
  let client: ApiClient;
  let device: Device;

  beforeAll(async () => {
    ({ product, owner, phone, page, client, device } = stage());
    ssh = await startSshServer();
    await owner.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(product.consoleUrl).origin });
  });

  afterAll(async () => {
    await ssh?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await deleteApps(client);
  });

  const card = () => page.getByRole('article', { name: device.name });

  /** An app whose host key is not known yet. */
  async function addApp(): Promise<void> {
    const target = { host: '127.0.0.1', port: ssh.port, options: { username: ssh.username } };
    const body = { router: device.id, kind: 'ssh', name: appName, ...target, secrets: { private_key: ssh.privateKey } };
    expect((await client.call('POST', '/api/user/cloud_apps/', body)).status).toBe(201);
  }

  async function showApps(): Promise<void> {
    await openAnew(page, `${product.consoleUrl}#/devices`); // the apps of the test before would stay until the next poll
    await card()
      .getByRole('tab', { name: /^远程应用/ })
      .click();
  }

  /** Opens the app in a tab of its own, and accepts its host key. */
  async function openApp(): Promise<Page> {
    const [tab] = await Promise.all([
      owner.waitForEvent('page'),
      card().getByRole('listitem', { name: appName }).getByRole('link', { name: /^打开/ }).click(),
    ]);
    await tab.getByText(ssh.fingerprint).waitFor();
    await tab.getByRole('button', { name: '信任并连接' }).click();
    await waitForLine(tab, prompt);
    return tab;
  }

  test('an SSH app is added with a key, and opened after its fingerprint was compared', async () => {
    await showApps();
    await card().getByRole('button', { name: '添加远程应用' }).click();
    const dialog = page.getByRole('dialog', { name: /^添加远程应用/ });
    await dialog.getByLabel('名称').fill(appName);
    await dialog.getByLabel('主机').fill('127.0.0.1');
    await dialog.getByLabel('端口').fill(String(ssh.port));
    await dialog.getByLabel('用户名').fill(ssh.username);
    await dialog.getByLabel('私钥', { exact: true }).fill(ssh.privateKey);
    await dialog.getByRole('button', { name: /^添\s?加$/ }).click();
    await dialog.waitFor({ state: 'detached' });

    const tab = await openApp();
    const errors = watchErrors(tab);
    await tab.keyboard.type("PS1='ready> '; echo $((6 * 7))\n");
    await waitForLine(tab, String.raw`^42`);

    // Of another size, which the target knows.
    await tab.setViewportSize({ width: 700, height: 500 });
    await tab.keyboard.type('stty size\n');
    await waitForLine(tab, String.raw`^(1\d|2\d) (8|9)\d`);

    await tab.evaluate(() => navigator.clipboard.writeText('echo 一二三 | rev'));
    await tab.keyboard.press('Control+Shift+V');
    await tab.keyboard.press('Enter');
    await waitForLine(tab, String.raw`^三二一`);

    // What a hostile program sends: a title, a text for the clipboard, and a question whose answer would be typed.
    await tab.keyboard.type(String.raw`printf '\033]2;evil\007\033]52;c;ZXZpbA==\007\033[21t%s\n' har''mless` + '\n');
    await waitForLine(tab, '^harmless');
    expect(await tab.evaluate(() => navigator.clipboard.readText())).toBe('echo 一二三 | rev');

    expect(await tab.title()).toContain(appName);
    expect(await seriousBarriers(tab)).toEqual([]);
    expect(errors).toEqual([]);
    await tab.close();
  });

  test('a terminal that was cut off reconnects in its place, without the question, and on a phone it has keys', async () => {
    await addApp();
    await showApps();
    const tab = await openApp();
    await tab.keyboard.type('echo before-$((1 + 1))\n');
    await waitForLine(tab, String.raw`^before-2`);
    ssh.cut();
    await tab.getByRole('alert').waitFor();
    await tab.getByRole('button', { name: '重新连接' }).click();
    await waitForLine(tab, '已重新连接 ──');
    await waitForLine(tab, String.raw`^before-2`);
    await tab.getByRole('alert').waitFor({ state: 'detached' });

    // The page is loaded again, and then closed and opened again: the shell is the same.
    await tab.keyboard.type('kept=7\n');
    await tab.reload();
    await tab.getByText('已回到仍在运行的会话').waitFor();
    await tab.keyboard.type('echo reloaded-$kept\n');
    await waitForLine(tab, '^reloaded-7');
    await tab.close();
    const again = await owner.newPage();
    await again.goto(tab.url());
    await again.getByText('已回到仍在运行的会话').waitFor();
    await waitForLine(again, '^reloaded-7');
    await again.close();

    const small = await phone.newPage();
    await small.goto(tab.url());
    await waitForLine(small, prompt);
    await small.keyboard.type('echo started-$((1 + 1)); cat');
    await small.keyboard.press('Enter');
    await waitForLine(small, '^started-2');
    await small.keyboard.type('typed');
    await waitForLine(small, '^typed');
    await small.getByRole('button', { name: 'Ctrl' }).click();
    await small.keyboard.type('c');
    await waitForLine(small, String.raw`typed\^C`);
    expect(await horizontalOverflow(small)).toEqual([]);
    expect(await seriousBarriers(small)).toEqual([]);
    await small.close();
  });

  test.skipIf(telnetdProgram === undefined)(
    'a Telnet app runs commands, also with Chinese and in a new size',
    async () => {
      await using telnet = await startTcpService(serveTelnet);
      const target = { host: '127.0.0.1', port: telnet.port };
      const body = { router: device.id, kind: 'telnet', name: '老交换机', ...target };
      const { id } = CloudApp.parse((await client.call('POST', '/api/user/cloud_apps/', body)).json);
      const tab = await owner.newPage();
      const errors = watchErrors(tab);
      await tab.goto(`${product.consoleUrl}#/apps/${id}`);
      await waitForLine(tab, prompt);
      await tab.keyboard.insertText('echo 你好$((6 * 7))');
      await tab.keyboard.press('Enter');
      await waitForLine(tab, '^你好42');
      await tab.setViewportSize({ width: 700, height: 500 });
      await tab.keyboard.type('stty size\n');
      await waitForLine(tab, String.raw`^(1\d|2\d) (8|9)\d`);
      expect(errors).toEqual([]);
      await tab.close();
    },
  );

  test('the owner sees the session and ends it, which the terminal says', async () => {
    await addApp();
    await showApps();
    const tab = await openApp();
    await page.getByRole('button', { name: '远程应用的会话' }).first().click();
    const dialog = page.getByRole('dialog', { name: '远程应用的会话' });
    await dialog.getByText('进行中', { exact: true }).first().click();
    await dialog.getByRole('button', { name: /^结束/ }).first().click();
    await tab.getByText('会话已被结束').waitFor();
    await tab.close();
  });
}
