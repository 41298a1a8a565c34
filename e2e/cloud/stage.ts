import { CloudApp, type Device } from '@tongtu/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser, loggedInProfile } from '../support/browser/browser.ts';
import { ApiClient } from '../support/clients/api-client.ts';
import { type Product, startProduct } from '../support/product/product.ts';
import { saveScreenshot, savesScreenshots } from '../support/screens/check-screen.ts';
import { screenSizes } from '../support/screens/screen-sizes.ts';

/**
 * What the tests of this folder share. They use the same page one after another: a page of a new profile would compile
 * the console again.
 */
export type Stage = AsyncDisposable & {
  product: Product;
  client: ApiClient;
  /** The product's own device. */
  device: Device;
  /** Logged-in profiles of the account `admin`, which has read the announcements. */
  owner: BrowserContext;
  phone: BrowserContext;
  /** A page of `owner`. */
  page: Page;
};

export async function openStage(): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
  parts.use(product);
  parts.defer(() => browser.close());
  const client = new ApiClient(product);
  const { id } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const { device } = await client.waitForWelcomeDevice();
  const owner = await loggedInProfile(browser, client, screenSizes.desktop);
  const phone = await loggedInProfile(browser, client, screenSizes.phone);
  const page = await owner.newPage();
  const opened = parts.move();
  return {
    ...{ product, client, device, owner, phone, page },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function deleteApps(client: ApiClient): Promise<void> {
  const apps = CloudApp.array().parse((await client.call('GET', '/api/user/cloud_apps/')).json);
  await Promise.all(apps.map(({ id }) => client.call('DELETE', `/api/user/cloud_apps/${id}/`)));
}

/** Closes the pages that a failed test has left open. */
export async function closeOtherPages({ owner, phone, page }: Stage): Promise<void> {
  const others = [...owner.pages(), ...phone.pages()].filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
}

/** Leaves the page, the browser and the account as the next topic expects them. */
export async function leaveTopic(stage: Stage): Promise<void> {
  await stage.page.goto('about:blank');
  await closeOtherPages(stage);
  await resetPage(stage);
  await stage.owner.clearPermissions();
  await deleteApps(stage.client);
}

/** Gives the page its size and its theme again. */
export async function resetPage({ page }: Pick<Stage, 'page'>): Promise<void> {
  await page.setViewportSize(screenSizes.desktop.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Saves the page in both themes and sizes, when screenshots are asked for. */
export async function saveScreenshots({ page }: Pick<Stage, 'page'>, name: string): Promise<void> {
  if (!savesScreenshots) return;
  for (const [size, { viewport }] of Object.entries(screenSizes)) {
    await page.setViewportSize(viewport);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(150);
      await saveScreenshot(`${name}.${size}.${theme}.png`, page);
    }
  }
  await resetPage({ page });
}
