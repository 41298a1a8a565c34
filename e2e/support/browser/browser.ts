import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { onTestFailed } from 'vitest';
import { findChromium, findHeadlessChromium, thisMachine } from '../../../tools/testing/system-requirements.ts';
import { saveArtefact } from '../artefacts.ts';
import type { ApiClient } from '../clients/api-client.ts';
import { adminPassword } from '../product/product.ts';

const ACTION_TIMEOUT_MS = 30_000;

type BrowserOptions = {
  /** The full browser with its window. */
  isWhole?: boolean;
  /** Its optimizing compilers are on, for a page that runs the same code again and again. */
  isOptimizing?: boolean;
  args?: readonly string[];
};

/** Debian's Chromium, without its own network requests. */
export async function launchBrowser({
  isWhole = false,
  isOptimizing = false,
  args = [],
}: BrowserOptions = {}): Promise<Browser> {
  const executablePath = isWhole ? findChromium(thisMachine) : findHeadlessChromium(thisMachine);
  if (executablePath === undefined) throw new Error('Chromium is missing; `npm test` installs it or says how');
  return await chromium.launch({
    executablePath,
    args: [
      // Chromium has no sandbox for root, as in most CI containers.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Most pages live for seconds: optimizing their code takes a sixth of the browser's time and gains nothing.
      ...(isOptimizing ? [] : ['--js-flags=--no-opt --no-maglev']),
      ...args,
    ],
  });
}

/**
 * A new browser profile, without cookies and storage, and with reduced motion: on a busy machine a click on a growing
 * button may begin on it and end beside it, and does not count then.
 */
export async function freshProfile(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const calm = { locale: 'zh-CN', timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...calm, ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return context;
}

/** A new browser profile that has the client's session, for tests that are not about the login. */
export async function loggedInProfile(
  browser: Browser,
  client: ApiClient,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await freshProfile(browser, options);
  await context.addCookies(client.browserCookies());
  return context;
}

/** When the running test fails, saves a screenshot and the HTML of the page, and prints its URL and text. */
export function savePageOnFailure(name: string, page: () => Page | undefined): void {
  onTestFailed(async () => {
    const open = page();
    if (open === undefined || open.isClosed()) return;
    const text = await open.locator('body').innerText();
    console.log(`── ${name} at ${open.url()}\n${text.slice(0, 2000)}`);
    await saveArtefact(`${name}.failed.png`, await open.screenshot({ fullPage: true }));
    await saveArtefact(`${name}.failed.html`, `<!-- ${open.url()} -->\n${await open.content()}`);
  });
}

/** Collects the errors that the developer tools would show. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  return errors;
}

/** Ant Design sets a space between the two characters of a short button: 登 录. */
export function buttonName(word: string): RegExp {
  return new RegExp(`^${[...word].join(String.raw`\s?`)}$`);
}

/** Selects a sign-in method; with only one of them there are no tabs. */
export async function chooseLoginWay(page: Page, way: '微信扫码' | '手机验证码' | '密码'): Promise<void> {
  const tab = page.getByRole('tab', { name: way, exact: true });
  const form = page.getByLabel('账号', { exact: true });
  await tab.or(form).first().waitFor();
  if (await tab.isVisible()) await tab.click();
}

/**
 * Opens the address as if it were typed into a new tab. A change of the hash alone makes the console load itself anew
 * (for the login), which a reload at that moment would abort.
 */
export async function openAnew(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
}

/**
 * Waits until a login has led to the address, but not until the console has loaded itself anew there: for the end of a
 * test.
 */
export async function arriveAt(page: Page, address: RegExp): Promise<void> {
  await page.waitForURL(address, { waitUntil: 'commit' });
}

/** Fills in the login form that the page shows, by its labels. */
export async function logInThroughForm(page: Page, password = adminPassword, account = 'admin'): Promise<void> {
  await chooseLoginWay(page, '密码');
  await page.getByLabel('账号', { exact: true }).fill(account);
  // The tab's panel has the same name.
  await page
    .locator('input[type=password]')
    .and(page.getByLabel('密码', { exact: true }))
    .fill(password);
  await page.getByRole('button', { name: buttonName('登录') }).click();
}

/**
 * Clicks, and waits for the message that says it is done. The message stays for three seconds, which may pass on a busy
 * machine before the click has returned.
 */
export async function clickForMessage(button: Locator, text: string | RegExp): Promise<void> {
  const message = button.page().getByText(text);
  // The same words of an earlier action, which stay for seconds, do not answer this click.
  await message.waitFor({ state: 'hidden' });
  await Promise.all([message.waitFor(), button.click()]);
}

/** Closes the announcements by their only button. */
export async function closeAnnouncements(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '公告' });
  await dialog.waitFor();
  await endOfMotion(dialog);
  await dialog.getByRole('button', { name: '知道了' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

async function endOfMotion(moving: Locator): Promise<void> {
  await moving.evaluate(async (element) => {
    await Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished.catch(() => {})));
  });
}
