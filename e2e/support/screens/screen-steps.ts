import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export const DEVICE_NAME = '客厅的群晖';

/** Where the screens are. `sshUrl` is a tcp mapping that has let a network in. */
export type Place = { consoleUrl: string; httpPort: number; sshUrl: string };

export type Screen = {
  name: string;
  open: (page: Page, at: Place) => Promise<void>;
  isAnonymous?: true;
  /**
   * The name of something that the console keeps when its screen is left: mocked or stored data, or the question of a
   * call. The page is loaded anew before and after the screens of one name, which follow each other.
   */
  ownData?: string;
  /** Another screen size shows other parts, so both sizes are checked in both themes. */
  differsBySize?: true;
  allowedErrors?: RegExp;
};

export async function openNewMapping(page: Page, at: Place): Promise<Locator> {
  await visit(page, at, '#/devices', DEVICE_NAME);
  await page.getByRole('article', { name: DEVICE_NAME }).getByRole('button', { name: '添加域名映射' }).click();
  const dialog = page.getByRole('dialog', { name: /添加域名映射/ });
  await dialog.waitFor();
  return dialog;
}

/** Opens an item of a mapping's menu. */
export async function openMappingMenu(page: Page, at: Place, mapping: string, item: string): Promise<void> {
  await visit(page, at, '#/devices', DEVICE_NAME);
  await page.getByRole('button', { name: `更多操作 ${mapping}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export async function openDeviceMenu(page: Page, at: Place, item: string): Promise<void> {
  await visit(page, at, '#/devices', DEVICE_NAME);
  await page.getByRole('button', { name: `${DEVICE_NAME} 更多操作` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export async function openAllowList(page: Page, at: Place): Promise<Locator> {
  await openDeviceMenu(page, at, '访问白名单');
  const dialog = page.getByRole('dialog', { name: /访问白名单/ });
  await dialog.waitFor();
  return dialog;
}

/** Opens a screen of the console and waits for a text of the finished screen. */
export async function visit(page: Page, at: Place, hash: string, words: string): Promise<void> {
  await page.goto(`${at.consoleUrl}/${hash}`);
  await page.getByText(words).first().waitFor();
}

/** Leaves a screen, so that the next one on this page finds none of its state, unless it is one of the same data. */
export async function leaveScreen(
  page: Page,
  at: Place,
  next: { isAnonymous: boolean; isLoaded: boolean; keepsMocks: boolean },
): Promise<void> {
  // A reply that is still being mocked belongs to the screen that is left.
  if (!next.keepsMocks) await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (next.isLoaded || !page.url().startsWith(at.consoleUrl)) return void (await page.goto('about:blank'));
  // Another screen in between discards open dialogs and input.
  const places = next.isAnonymous ? anonymousPlaces : ownerPlaces;
  const [hash, words] = page.url().includes(places[0][0]) ? places[1] : places[0];
  await visit(page, at, hash, words);
  // A captcha outlasts the screen, because a call is waiting for its answer.
  const captcha = page.getByRole('dialog', { name: '人机验证' });
  if (await captcha.isVisible()) await captcha.getByRole('button', { name: '关闭', exact: true }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
}

const ownerPlaces = [
  ['#/announcements', '欢迎使用通途'],
  ['#/devices', DEVICE_NAME],
] as const;
const anonymousPlaces = [
  ['#/check?url=https%3A%2F%2Fevil.example', '不能前往这个网址'],
  ['#/login', '登录控制台'],
] as const;

export async function visitMapping(page: Page, at: Place, prefix: string, words: string, path = '/'): Promise<void> {
  await page.addInitScript(stayOnGatePage);
  await page.goto(`http://${prefix}.localhost:${at.httpPort}${path}`, { waitUntil: 'commit' });
  await page.getByText(words).first().waitFor();
}

/** The gate's page goes on to the console by itself. This stops it, so that the page can be checked. */
function stayOnGatePage(): void {
  if (!globalThis.location.hostname.endsWith('.localhost')) return;
  const setTimer = globalThis.setTimeout;
  const isGoingOn = (afterMs: number | undefined) => afterMs === undefined;
  Object.assign(globalThis, {
    setTimeout: (run: () => void, afterMs?: number) => (isGoingOn(afterMs) ? 0 : setTimer(run, afterMs)),
  });
}

/** Mocks the profile of a new user, who has read no announcement. */
export async function forgetReadAnnouncements(page: Page): Promise<void> {
  await page.route('**/api/profile/', async (route) => {
    const reply = await route.fetch();
    const [profile] = (await reply.json()) as [object]; // the caller is logged in
    await route.fulfill({ response: reply, json: [{ ...profile, readed_announcement_id: 0 }] });
  });
}

/** Mocks a user with a dozen devices, whose agents are a version behind. */
export async function showManyDevices(page: Page): Promise<void> {
  await page.route('**/api/user/routers/?*', async (route) => {
    const reply = await route.fetch();
    const { results } = (await reply.json()) as { results: { name: string }[] };
    const own = results.find(({ name }) => name === DEVICE_NAME);
    if (own === undefined) throw new Error(`${DEVICE_NAME} is missing`);
    const others = Array.from({ length: 11 }, (_, index) => ({
      ...{ ...own, id: 1000 + index, uid: `0000000000${index + 10}`, name: `奶奶家的小盒子 ${index + 1}` },
      ...(index % 3 === 0 && { online: false, state: 'offline', offline_reason: 'no_heartbeat' }),
      mappings: [],
    }));
    const all = [own, ...others].map((device) => ({ ...device, agent_upgrade: '99.0.0' }));
    await route.fulfill({ response: reply, json: { count: all.length, next: null, previous: null, results: all } });
  });
}

/** Mocks a user without devices who is a member of two mappings. */
export async function showOnlyShared(page: Page, at: Place): Promise<void> {
  const common = { owner: '奶奶家的管理员', opens_at: null, closes_at: null, hours: null };
  const since = new Date(Date.now() - 7_500_000).toISOString();
  const shared = [
    { ...common, id: 2, domain: 'nas.localhost', state: 'online', since, offline_reason: null },
    {
      ...{ ...common, id: 1, domain: `${'a'.repeat(63)}.localhost`, owner: 'a-name-as-long-as-they-may-be-12' },
      ...{ state: 'offline', since, offline_reason: 'no_heartbeat' },
    },
  ].map((each) => ({ ...each, url: `http://${each.domain}:${at.httpPort}`, pinned: false, created_at: since }));
  await page.route('**/api/user/routers/?*', async (route) => {
    await route.fulfill({ json: { count: 0, next: null, previous: null, results: [] } });
  });
  await page.route('**/api/user/shared_with_me/', async (route) => await route.fulfill({ json: shared }));
}
