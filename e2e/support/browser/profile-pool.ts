import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { freshProfile } from './browser.ts';

/**
 * Pages of browser profiles that tests use one after another. Each test gets its page as in a new profile, and that
 * costs less than a new one, whose process would have to start and to compile the console again. Not for tests that
 * change the page for good, as init scripts, another clock and an authenticator do.
 */
export class ProfilePool {
  readonly #browser: Browser;
  readonly #consoleUrl: string;
  readonly #options: BrowserContextOptions;
  readonly #free: Page[] = [];

  /** The browser closes the pages. */
  constructor(browser: Browser, consoleUrl: string, options: BrowserContextOptions = {}) {
    this.#browser = browser;
    this.#consoleUrl = consoleUrl;
    this.#options = options;
  }

  /** A page without cookies and storage, until the end of the test. That of a failed test stays, for the screenshot. */
  async take(): Promise<Page> {
    const page = this.#free.pop() ?? (await this.#open());
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail' || page.isClosed()) return;
      await this.clean(page);
      this.#free.push(page);
    });
    return page;
  }

  async #open(): Promise<Page> {
    const context = await freshProfile(this.#browser, this.#options);
    return await context.newPage();
  }

  /**
   * Makes it a new browser. Forgets the storage of the console only: mappings have origins of their own, which no other
   * test opens.
   */
  async clean(page: Page): Promise<void> {
    const context = page.context();
    await page.goto('about:blank'); // ends what the test left running
    for (const other of context.pages()) if (other !== page) await other.close();
    await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearPermissions(), context.clearCookies()]);
    const emptyPage = `${this.#consoleUrl}/empty`;
    await page.route(emptyPage, async (route) => await route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(emptyPage);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto('about:blank');
    await page.unroute(emptyPage);
    await page.emulateMedia({ colorScheme: null });
  }
}
