import type { CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';
import { issueCaptchaTicket } from '../features/captcha/index.ts';
import { browserHashOf } from './browser-hash.ts';
import type { TestBrowser } from './open-test-app.ts';

/** A ticket as if this browser had just solved a captcha for `purpose`. */
export async function solveCaptcha(db: Db, browser: TestBrowser, purpose: CaptchaPurpose): Promise<string> {
  return (await issueCaptchaTicket(db, { purpose, browserHash: browserHashOf(browser) })).ticket;
}
