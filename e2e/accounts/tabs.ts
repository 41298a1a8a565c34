import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { freshProfile, logInThroughForm, savePageOnFailure } from '../support/browser/browser.ts';
import { ApiClient } from '../support/clients/api-client.ts';
import { createPerson } from '../support/person.ts';
import { startAgent } from '../support/product/agent.ts';
import { adminPassword } from '../support/product/product.ts';
import type { Stage } from './stage.ts';

/** More than the six connections that a browser opens to one host over HTTP/1.1. */
const TABS = 8;

/** All tabs of a headless browser count as visible, so the test sets the visibility of this one. */
async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { get: () => value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

export function testTabs(stage: () => Stage): void {
  test('tabs in the background leave room for more, and catch up when they are looked at again', async ({ task }) => {
    const { product, browser } = stage();
    const account = `tabs-${(task.result?.retryCount ?? 0) + 1}`; // that of the first try has a device
    await createPerson(product, { account });
    const profile = await freshProfile(browser);
    const first = await profile.newPage();
    let current = first;
    savePageOnFailure('tabs', () => current);
    await first.goto(product.consoleUrl);
    await logInThroughForm(first, adminPassword, account);
    await first.getByText('还没有设备').waitFor();
    for (let n = 2; n <= TABS; n++) {
      await setVisibility(current, 'hidden');
      current = await profile.newPage();
      await current.goto(product.consoleUrl);
      await current.getByText('还没有设备').waitFor();
    }

    const client = new ApiClient(product);
    const { token } = await client.logIn(account);
    const agent = await startAgent(product, { token, name: '阁楼' });
    onTestFinished(() => agent.child[Symbol.asyncDispose]());
    await client.waitForDevice('the device is online', ({ online }) => online);
    await current.getByRole('article', { name: '阁楼' }).waitFor();
    current = first;
    expect(await first.getByRole('article').count()).toBe(0);
    await setVisibility(first, 'visible');
    await first.getByRole('article', { name: '阁楼' }).waitFor();
    await profile.close();
  });
}
