import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enrolDevice, type Agent } from './support/product/agent.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import {
  freshProfile,
  savePageOnFailure,
  launchBrowser,
  logInThroughForm,
  watchErrors,
} from './support/browser/browser.ts';
import {
  expectGoodLook,
  expectGoodScreen,
  expectNoBarriers,
  isDrawn,
  savesScreenshots,
  saveScreenshot,
} from './support/screens/check-screen.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { developmentCodes } from './support/product/development-codes.ts';
import { createGatePages } from './support/screens/gate-screens.ts';
import { dialogCases, expectKeyboardWorks, expectTypedTextKept } from './support/screens/dialogs.ts';
import { DEVICE_NAME, leaveScreen, type Place } from './support/screens/screen-steps.ts';
import { screens } from './support/screens/screens.ts';
import { transitionsOf } from './support/screens/page-quality.ts';
import { type ScreenSize, screenSizes } from './support/screens/screen-sizes.ts';

let product: Product;
let browser: Browser;
let agent: Agent;
let place: Place;
let contexts: { owner: BrowserContext; anonymous: BrowserContext };
const shown = new Map<'owner' | 'anonymous', Shown>();

/** A product with data on every screen. */
async function startPlace(): Promise<void> {
  // All sign-in methods are offered, as in development.
  const env = { ...developmentCodes, WECHAT_FAKE: 'on' };
  // One page runs the checks of all screens.
  const launching = launchBrowser({ isOptimizing: true });
  [product, browser] = await Promise.all([startProduct({ env }), launching]);
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
  // Opened below, so its target is on this machine, where nothing listens.
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

/** A page that shows one screen after another. */
type Shown = {
  page: Page;
  errors: string[];
  /** The theme in which the screen before ended, and its data. */
  theme: Theme;
  ownData: string | undefined;
  resize: (to: ScreenSize) => Promise<void>;
};

type Theme = 'light' | 'dark';
const otherTheme = { light: 'dark', dark: 'light' } as const satisfies Record<Theme, Theme>;

beforeAll(async () => {
  await startPlace();
  // A screenshot has the size of `resize`, as long as Playwright knows no other.
  const options = { viewport: null };
  const [owner, anonymous] = await Promise.all([freshProfile(browser, options), freshProfile(browser, options)]);
  contexts = { owner, anonymous };
  const { page } = await show('owner');
  await page.goto(product.consoleUrl);
  await logInThroughForm(page);
  await page.waitForURL(/#\/devices$/);
});

afterAll(async () => {
  await contexts?.owner.close();
  await contexts?.anonymous.close();
  await stopPlace();
});

beforeEach(() => saveLogOnFailure('screens', product.child));

async function show(who: 'owner' | 'anonymous'): Promise<Shown> {
  const page = await contexts[who].newPage();
  const session = await contexts[who].newCDPSession(page);
  const created: Shown = { page, errors: watchErrors(page), theme: 'light', ownData: undefined, resize };
  shown.set(who, created);
  await resize('desktop');
  return created;

  async function resize(to: ScreenSize): Promise<void> {
    const touch = to === 'phone' ? { enabled: true, maxTouchPoints: 1 } : { enabled: false };
    await session.send('Emulation.setTouchEmulationEnabled', touch);
    // A phone zooms out of what is too wide, which the browser does only if the metrics are those of a phone.
    const metrics = { ...screenSizes[to].viewport, deviceScaleFactor: 1, mobile: to === 'phone' };
    await session.send('Emulation.setDeviceMetricsOverride', metrics);
  }
}

/**
 * Opens every screen on a desktop in one theme and applies all checks. Then it switches to a phone with the other theme
 * and applies the checks that this affects. The next screen begins with that theme, because a change of it takes as
 * long as a check. Screens with other parts on a phone get all checks at both sizes, and both themes at each. One page
 * shows all screens of the owner, and one those of anonymous clients: reloading for each screen takes longer than all
 * checks.
 */
test.for(screens)('$name is complete, Chinese, accessible and without errors', async (screen, { task }) => {
  const { name } = screen;
  const who = screen.isAnonymous ? 'anonymous' : 'owner';
  const isSecondTry = (task.result?.retryCount ?? 0) > 0;
  if (isSecondTry) await shown.get(who)?.page.close();
  const on = (isSecondTry ? undefined : shown.get(who)) ?? (await show(who));
  const { page, errors, resize } = on;
  savePageOnFailure(`screen-${name}`, () => page);
  const hasSameData = screen.ownData === on.ownData && !isSecondTry;
  await page.emulateMedia({ colorScheme: on.theme });
  await leaveScreen(page, place, {
    isAnonymous: screen.isAnonymous ?? false,
    isLoaded: !hasSameData,
    keepsMocks: hasSameData && screen.ownData !== undefined,
  });
  on.ownData = screen.ownData;
  errors.length = 0;
  await screen.open(page, place);
  await expectGoodScreen(page);
  await saveScreenshot(`${name}.desktop.${on.theme}.png`, page);
  await changeTheme(on);
  if (screen.differsBySize || savesScreenshots) {
    await expectNoBarriers(page, 'look');
    await saveScreenshot(`${name}.desktop.${on.theme}.png`, page);
    await resize('phone');
    await isDrawn(page);
    await expectGoodScreen(page);
    await saveScreenshot(`${name}.phone.${on.theme}.png`, page);
    await changeTheme(on);
    await expectNoBarriers(page, 'look');
    await saveScreenshot(`${name}.phone.${on.theme}.png`, page);
  } else {
    await resize('phone');
    await expectGoodLook(page);
  }
  await resize('desktop');
  expect(errors.filter((error) => !screen.allowedErrors?.test(error))).toEqual([]);
});

test('every dialog is used by keyboard and closed by Escape, one of each kind by Back, and both keep what was typed', async () => {
  // Ten minutes after a login some of them ask for the password first.
  const client = new ApiClient(product);
  await client.logIn();
  await contexts.owner.addCookies(client.browserCookies());
  const { page, errors } = await show('owner');
  savePageOnFailure('dialogs', () => page);
  for (const given of dialogCases) {
    await expectKeyboardWorks(page, place, given).catch((cause: unknown) => {
      throw new Error(`${String(given.dialog)}: ${String(cause)}`, { cause });
    });
  }
  await expectTypedTextKept(page, place);
  expect(errors).toEqual([]);
});

async function changeTheme(shown: Shown): Promise<void> {
  shown.theme = otherTheme[shown.theme];
  await shown.page.emulateMedia({ colorScheme: shown.theme });
  await isDrawn(shown.page);
  // Its users asked for less motion.
  expect(await transitionsOf(shown.page)).toEqual([]);
}
