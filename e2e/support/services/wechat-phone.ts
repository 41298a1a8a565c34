import type { Page } from 'playwright-core';
import { screenSizes } from '../screens/screen-sizes.ts';

/** Of WeChat's browser. */
const WECHAT_USER_AGENT =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 ' +
  'Mobile Safari/537.36 MMWEBID/1 MicroMessenger/8.0.61 WeChat/arm64 Weixin NetType/WIFI Language/zh_CN';

/** A phone whose WeChat opens the QR code: a separate browser. */
export const wechatPhone = { userAgent: WECHAT_USER_AGENT, ...screenSizes.phone } as const;

/** Scans the QR code of a desktop page and chooses this person, in the fake WeChat. */
export async function scanAs(phone: Page, image: string, person: string): Promise<void> {
  await phone.goto(image);
  await phone.getByRole('button', { name: person }).click();
}

/** The target of the QR code on this login page. The page of the fake WeChat contains it as a link. */
export async function readImage(page: Page): Promise<string> {
  const href = await page.getByRole('link', { name: '以手机身份打开' }).getAttribute('href');
  if (href === null) throw new Error('the page does not link its QR code');
  return href;
}
