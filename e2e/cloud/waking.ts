import { lanLink } from '@tongtu/agent/testing/lan-link';
import { addSleepingHost, type SleepingHost } from '@tongtu/agent/testing/sleeping-host';
import type { Device } from '@tongtu/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openAnew, watchErrors } from '../support/browser/browser.ts';
import type { ApiClient } from '../support/clients/api-client.ts';
import { E2E_LANS } from '../support/product/prepare-lans.ts';
import type { Product } from '../support/product/product.ts';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import { horizontalOverflow } from '../support/screens/page-quality.ts';
import { deleteApps, type Stage } from './stage.ts';

const mac = '02:11:22:33:44:55';
const magicPacket = `${'ff'.repeat(6)}${mac.replaceAll(':', '').repeat(16)}`;
const greeting = 'I am awake';
const link = lanLink(E2E_LANS.wake);

export function testWaking(stage: () => Stage): void {
  let product: Product;
  let client: ApiClient;
  let host: SleepingHost;
  let owner: BrowserContext;
  let phone: BrowserContext;
  let page: Page;
  let device: Device;

  beforeAll(() => {
    ({ product, client, owner, phone, page, device } = stage());
  });

  beforeEach(async () => {
    // Of each try: the machine sleeps again.
    host = await addSleepingHost(link, { mac, greeting: `${greeting}\r\n` });
    onTestFinished(async () => await host[Symbol.asyncDispose]());
    await deleteApps(client);
    await openAnew(page, `${product.consoleUrl}#/devices`);
    await card()
      .getByRole('tab', { name: /^远程应用/ })
      .click();
  });

  const card = () => page.getByRole('article', { name: device.name });
  const rowOf = (name: string) => card().getByRole('listitem', { name });

  async function addApp(kind: string, name: string, typedMac: string): Promise<void> {
    await card().getByRole('button', { name: '添加远程应用' }).click();
    const dialog = page.getByRole('dialog', { name: /^添加远程应用/ });
    await dialog.getByLabel(kind).click();
    await dialog.getByLabel('名称').fill(name);
    await dialog.getByLabel('主机').fill(host.address);
    await dialog.getByLabel('端口').fill(String(host.port));
    await dialog.getByLabel('MAC 地址').fill(typedMac);
    await dialog.getByRole('button', { name: /^添\s?加$/ }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async function tabOf(click: Promise<void>): Promise<Page> {
    const [tab] = await Promise.all([owner.waitForEvent('page'), click]);
    return tab;
  }

  test('a host that is off is woken by 唤醒并打开 where its app does not answer, and the app opens by itself', async () => {
    await addApp('网络唤醒', '书房的电脑', '02-11-22-33-44-55');
    await addApp('Telnet 终端', '电脑的终端', '0211.2233.4455');

    const wakePage = await tabOf(rowOf('书房的电脑').getByRole('link', { name: /^唤醒/ }).click());
    const errors = watchErrors(wakePage);
    await wakePage.getByRole('status').filter({ hasText: '未开机' }).waitFor();

    const tab = await tabOf(rowOf('电脑的终端').getByRole('link', { name: /^打开/ }).click());
    expect(host.packets).toEqual([]);
    await tab.getByRole('alert').getByRole('button', { name: '唤醒并打开' }).click();
    await tab.locator('.xterm-rows').getByText(greeting).waitFor();
    // Read from the output of another process.
    await expect.poll(() => host.packets[0]).toEqual({ from: link.own, hex: magicPacket });
    await tab.close();

    // The page of another app of the host turns by itself.
    await wakePage.getByRole('status').filter({ hasText: '已开机' }).waitFor();
    expect(await seriousBarriers(wakePage)).toEqual([]);
    expect(errors).toEqual([]);

    const small = await phone.newPage();
    await small.goto(wakePage.url());
    await small.getByRole('status').filter({ hasText: '已开机' }).waitFor();
    await small.getByRole('button', { name: '唤醒', exact: true }).click();
    await small.getByText('已发出').waitFor();
    await small.getByRole('button', { name: '添加' }).click();
    const dialog = small.getByRole('dialog', { name: '添加定时唤醒' });
    await dialog.getByRole('button', { name: /^添\s?加$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await small.getByText('工作日（周一至周五）').waitFor();
    expect(await horizontalOverflow(small)).toEqual([]);
    expect(await seriousBarriers(small)).toEqual([]);
    await small.close();
  });
}
