import { hasAvahi, startAvahi } from '@tongtu/agent/testing/avahi';
import { lanLink } from '@tongtu/agent/testing/lan-link';
import { addPeer, type PeerNetwork } from '@tongtu/agent/testing/peer-network';
import type { Device } from '@tongtu/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAnew, watchErrors } from '../support/browser/browser.ts';
import type { ApiClient } from '../support/clients/api-client.ts';
import { E2E_LANS } from '../support/product/prepare-lans.ts';
import type { Product } from '../support/product/product.ts';
import { seriousBarriers } from '../support/screens/accessibility.ts';
import { horizontalOverflow } from '../support/screens/page-quality.ts';
import { screenSizes } from '../support/screens/screen-sizes.ts';
import { resetPage, type Stage } from './stage.ts';

const SCAN_MS = 30_000;

export function testDiscovery(stage: () => Stage): void {
  let product: Product;
  let client: ApiClient;
  let lan: PeerNetwork;
  let avahi: AsyncDisposable | undefined;
  let owner: BrowserContext;
  let page: Page;
  let device: Device;

  beforeAll(async () => {
    ({ product, client, owner, page, device } = stage());
    const link = lanLink(E2E_LANS.discovery);
    lan = await addPeer(link);
    // Only NAS of 威联通 announce this type.
    if (hasAvahi) avahi = await startAvahi(link, { name: '书房的 NAS', type: '_qdiscover._tcp', port: 8080 });
  });

  afterAll(async () => {
    await avahi?.[Symbol.asyncDispose]();
    await lan?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await resetPage(stage());
    await openAnew(page, product.consoleUrl);
  });

  // The second try, too, finds a service without a mapping.
  afterEach(async () => {
    const mappings = (await client.devices()).flatMap((each) => each.mappings);
    const found = mappings.filter(({ target }) => target.includes(lan.peer));
    await Promise.all(found.map(({ id }) => client.call('DELETE', `/api/user/records/${id}/`)));
  });

  test('a device finds a service of its LAN; one click maps it with everything filled in, and it opens', async () => {
    const errors = watchErrors(page);
    await page.getByRole('button', { name: `${device.name} 更多操作` }).click();
    await page.getByRole('menuitem', { name: '局域网发现' }).click();
    await page.getByRole('button', { name: /^(开始|重新)扫描$/ }).click();
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
}
