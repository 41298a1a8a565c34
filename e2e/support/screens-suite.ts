import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { enrolDevice, type Agent } from './agent.ts';
import { seriousBarriers } from './accessibility.ts';
import { ApiClient } from './api-client.ts';
import { keepArtefact, keepLogOnFailure } from './artefacts.ts';
import { freshProfile, keepPageOnFailure, launchBrowser, logInThroughForm, watchErrors } from './browser.ts';
import {
  browserSpeaksOf,
  drawsChinese,
  horizontalOverflow,
  isFocusInDialog,
  unnamedControls,
  untranslatedText,
} from './page-quality.ts';
import { startProduct, type Product } from './product.ts';
import { developmentCodes } from './development-codes.ts';
import { createGatePages } from './gate-screens.ts';
import { DEVICE_NAME, type Place } from './screen-steps.ts';
import { screens } from './screens.ts';
import { type ScreenSize, screenSizes } from './screen-sizes.ts';

let product: Product;
let browser: Browser;
let agent: Agent;
let place: Place;

/** A product with something on every screen. */
async function startPlace(): Promise<void> {
  // Every way in is offered, as where the product is developed.
  const env = { ...developmentCodes, WECHAT_STAND_IN: 'on' };
  [product, browser] = await Promise.all([startProduct({ env }), launchBrowser()]);
  const client = new ApiClient(product);
  const { id, token } = await client.logIn();
  await client.call('PATCH', `/api/profile/${id}/`, { readed_announcement_id: 1000 });
  const enrolled = await enrolDevice(product, client, { token, name: DEVICE_NAME });
  agent = enrolled.agent;
  const { device } = enrolled;
  const mapping = { router: device.id, kind: 'http', policy: 'owner' } as const;
  await client.createMapping({ ...mapping, prefix: 'nas', target: 'http://192.168.1.10:5000', remark: '群晖管理页' });
  await client.createMapping({
    ...mapping,
    prefix: 'a'.repeat(63),
    target: 'http://a-long-name-for-a-machine.home.arpa:65535',
    remark: '长'.repeat(100),
  });
  // Opened below, so it leads to this machine: nobody listens there.
  const closed = { kind: 'https', target: 'https://127.0.0.1:9', policy: 'public' } as const;
  await client.createMapping({ router: device.id, prefix: 'camera', ...closed });
  const sshUrl = await createPortsAndDomains(client, device.id);
  await createGatePages(client, device.id);
  place = { consoleUrl: product.consoleUrl, httpPort: product.ports.http, sshUrl };
}

async function stopPlace(): Promise<void> {
  await browser?.close();
  await agent?.child[Symbol.asyncDispose]();
  await product?.[Symbol.asyncDispose]();
}

/** One of each kind, with the options that a row shows. The url of the tcp one, which has let a network in. */
async function createPortsAndDomains(client: ApiClient, router: number): Promise<string> {
  const ssh = await client.createMapping({ router, kind: 'tcp', target: 'tcp://127.0.0.1:9', remark: '书房的电脑' });
  const verified = await client.call('POST', `/api/user/records/${ssh.id}/verified_ip/`);
  if (verified.status !== 200) throw new Error(`the network was answered ${verified.status}: ${verified.text}`);
  await client.createMapping({
    router,
    kind: 'udp',
    target: 'udp://192.168.1.20:19132',
    policy: 'public',
    opens_at: '2026-11-30T16:00:00.000Z',
    closes_at: '2126-12-31T16:00:00.000Z',
    hours: { days: [1, 2, 3, 4, 5], from: '18:00', to: '21:30' },
  });
  await client.createMapping({
    router,
    kind: 'https',
    custom_domain: 'photos.my-family-home.example',
    target: 'https://192.168.1.12:8443',
    tls_passthrough: true,
    proxy_protocol: true,
  });
  return ssh.url;
}

/** Looks at every screen by day and by night. One file calls it for one size, so that sizes are looked at side by side. */
export function testScreens(size: ScreenSize): void {
  let owner: BrowserContext;
  let stranger: BrowserContext;

  beforeAll(async () => {
    await startPlace();
    const options = screenSizes[size];
    [owner, stranger] = await Promise.all([freshProfile(browser, options), freshProfile(browser, options)]);
    const page = await owner.newPage();
    await page.goto(product.consoleUrl);
    await logInThroughForm(page);
    await page.waitForURL(/#\/devices$/);
    await page.close();
  });

  afterAll(async () => {
    await owner?.close();
    await stranger?.close();
    await stopPlace();
  });

  beforeEach(() => keepLogOnFailure('screens', product.child));

  test.each(screens.map((screen) => [screen.name, screen] as const))(
    '%s is whole, Chinese, open to everybody and free of errors, by day and by night',
    async (name, screen) => {
      const page = await (screen.isStrangers ? stranger : owner).newPage();
      keepPageOnFailure(`screen-${name}-${size}`, () => page);
      onTestFinished(() => page.close());
      const errors = watchErrors(page);
      await page.emulateMedia({ colorScheme: 'light' });
      await screen.open(page, place);
      await page.evaluate(() => document.fonts.ready);

      await expect.poll(() => isFocusInDialog(page)).toBe(true);
      expect(await untranslatedText(page)).toEqual([]);
      expect(await drawsChinese(page)).toBe(true);
      expect(await unnamedControls(page)).toEqual([]);
      expect(await browserSpeaksOf(page)).toEqual([]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await isDrawn(page);
        await keepArtefact(`${name}.${size}.${colorScheme}.png`, await page.screenshot({ animations: 'disabled' }));
        expect(await horizontalOverflow(page)).toEqual([]);
        // What is just coming or going is paler than it will be.
        const rules = colorScheme === 'light' ? 'everything' : 'colours';
        await expect.poll(() => seriousBarriers(page, rules), { message: colorScheme }).toEqual([]);
      }
      expect(errors.filter((error) => !screen.allowedErrors?.test(error))).toEqual([]);
    },
  );
}

/** Another theme is in place two frames after it was asked for. */
async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}
