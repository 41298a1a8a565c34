import type { Browser, BrowserContext, Page } from 'playwright-core';
import { freshProfile } from '../browser/browser.ts';
import { screenSizes } from '../screens/screen-sizes.ts';

/** The User-Agent of WeChat's browser. */
export const WECHAT_USER_AGENT =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 ' +
  'Mobile Safari/537.36 MMWEBID/1 MicroMessenger/8.0.61 WeChat/arm64 Weixin NetType/WIFI Language/zh_CN';

export type WechatPhone = AsyncDisposable & {
  context: BrowserContext;
  page: Page;
  /** Scans the QR code of a desktop page and confirms as this person, in the fake WeChat. */
  scanAs: (image: string, person: string) => Promise<void>;
};

/** A phone whose WeChat opens the QR code: a separate browser. */
export async function openWechatPhone(browser: Browser, colorScheme: 'light' | 'dark' = 'light'): Promise<WechatPhone> {
  const context = await freshProfile(browser, {
    userAgent: WECHAT_USER_AGENT,
    ...screenSizes.phone,
    colorScheme,
  });
  const page = await context.newPage();
  return {
    context,
    page,
    async scanAs(image, person) {
      await page.goto(image);
      await page.getByRole('button', { name: person }).click();
    },
    [Symbol.asyncDispose]: async () => await context.close(),
  };
}

/** The target of the QR code on this login page. The page of the fake WeChat contains it as a link. */
export async function readImage(page: Page): Promise<string> {
  const href = await page.getByRole('link', { name: '以手机身份打开' }).getAttribute('href');
  if (href === null) throw new Error('the page does not link its QR code');
  return href;
}
