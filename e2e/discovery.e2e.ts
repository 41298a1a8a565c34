import { hasAvahi, startAvahi } from '@tongtu/agent/testing/avahi';
import { lanLink, noNamespaces } from '@tongtu/agent/testing/lan-link';
import { addPeer, type PeerNetwork } from '@tongtu/agent/testing/peer-network';
import type { Device } from '@tongtu/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveLogOnFailure } from './support/artefacts.ts';
import { launchBrowser, loggedInProfile, savePageOnFailure, watchErrors } from './support/browser/browser.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { E2E_LANS } from './support/product/prepare-lans.ts';
import { type Product, startProduct } from './support/product/product.ts';
import { seriousBarriers } from './support/screens/accessibility.ts';
import { horizontalOverflow } from './support/screens/page-quality.ts';
import { screenSizes } from './support/screens/screen-sizes.ts';

const SCAN_MS = 30_000;

// The LAN is a network namespace, which only root may make.
describe.skipIf(noNamespaces !== '')(`LAN discovery${noNamespaces}`, () => {
  let product: Product;
  let browser: Browser;
  let lan: PeerNetwork;
  let avahi: AsyncDisposable | undefined;
  let owner: BrowserContext;
  let page: Page;
  let device: Device;

  beforeAll(async () => {
    const link = lanLink(E2E_LANS.discovery);
    lan = await addPeer(link);
    // Only NAS of 威联通 announce this type.
    if (hasAvahi) avahi = await startAvahi(link, { name: '书房的 NAS', type: '_qdiscover._tcp', port: 8080 });
    [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
    const client = new ApiClient(product);
    const { id } = await client.logIn();
    await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
    ({ device } = await client.waitForWelcomeDevice());
    owner = await loggedInProfile(browser, client, screenSizes.desktop);
    page = await owner.newPage();
    await page.goto(product.consoleUrl);
  });

  afterAll(async () => {
    await browser?.close();
    await avahi?.[Symbol.asyncDispose]();
    await Promise.all([lan, product].map((part) => part?.[Symbol.asyncDispose]()));
  });

  beforeEach(({ task }) => {
    savePageOnFailure(`discovery-${task.name.slice(0, 20)}`, () => owner.pages().at(-1));
    saveLogOnFailure(`discovery-${task.name.slice(0, 20)}`, product.child);
  });

  test('a device finds a service of its LAN; one click maps it with everything filled in, and it opens', async () => {
    const errors = watchErrors(page);
    await page.getByRole('button', { name: `${device.name} 更多操作` }).click();
    await page.getByRole('menuitem', { name: '局域网发现' }).click();
    await page.getByRole('button', { name: '开始扫描' }).click();
    const host = page.getByRole('listitem', { name: '主机 书房的电视' });
    const service = host.getByRole('listitem', { name: 'Jellyfin' });
    await service.getByRole('button', { name: /添加映射/ }).waitFor({ timeout: SCAN_MS });
    await host.getByText(lan.peerMac).waitFor();
    if (hasAvahi) await host.getByText('威联通').first().waitFor({ timeout: SCAN_MS });
    await page.getByRole('progressbar').waitFor({ state: 'detached', timeout: SCAN_MS });
    expect(await seriousBarriers(page)).toEqual([]);

    await service.getByRole('button', { name: /添加映射/ }).click();
    const dialog = page.getByRole('dialog', { name: /^添加域名映射/ });
    await dialog.getByRole('button', { name: /^添\s?加$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const [tab] = await Promise.all([owner.waitForEvent('page'), service.getByRole('link', { name: /^打开/ }).click()]);
    await expect.poll(async () => await tab.title()).toBe('Jellyfin & 客厅');
    await tab.close();

    await host.getByRole('button', { name: /SSH 添加远程应用$/ }).click();
    const appDialog = page.getByRole('dialog', { name: /^添加远程应用/ });
    expect(await appDialog.getByLabel('主机').inputValue()).toBe(lan.peer);
    expect(await appDialog.getByLabel('端口').inputValue()).toBe('22');
    await page.keyboard.press('Escape');

    await page.setViewportSize(screenSizes.phone.viewport);
    expect(await horizontalOverflow(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    // The colours of links change gradually.
    await expect.poll(async () => await seriousBarriers(page, 'look')).toEqual([]);
    expect(errors).toEqual([]);
  });
});
