import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAgent } from './support/product/agent.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  closeAnnouncements,
  freshProfile,
  savePageOnFailure,
  launchBrowser,
  logInThroughForm,
} from './support/browser/browser.ts';
import { startProduct, type Product } from './support/product/product.ts';

/** More than the six connections that a browser opens to one host over HTTP/1.1. */
const TABS = 8;

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct({ args: ['--no-local-agent'] }), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await product?.[Symbol.asyncDispose]();
});

beforeEach(() => saveLogOnFailure('many-tabs', product.child));

/** All tabs of a headless browser count as visible, so the test sets the visibility of this one. */
async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { get: () => value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('tabs in the background leave room for more, and catch up when they are looked at again', async () => {
  const profile = await freshProfile(browser);
  const first = await profile.newPage();
  let current = first;
  savePageOnFailure('many-tabs', () => current);
  await first.goto(product.consoleUrl);
  await logInThroughForm(first);
  await closeAnnouncements(first);
  for (let n = 2; n <= TABS; n++) {
    await setVisibility(current, 'hidden');
    current = await profile.newPage();
    await current.goto(product.consoleUrl);
    await current.getByText('还没有设备').waitFor();
  }

  const client = new ApiClient(product);
  const { token } = await client.logIn();
  const agent = await startAgent(product, { token, name: '阁楼' });
  await client.waitForDevice('the device is online', ({ online }) => online);
  await current.getByRole('article', { name: '阁楼' }).waitFor();
  current = first;
  expect(await first.getByRole('article').count()).toBe(0);
  await setVisibility(first, 'visible');
  await first.getByRole('article', { name: '阁楼' }).waitFor();
  await agent.child[Symbol.asyncDispose]();
});
