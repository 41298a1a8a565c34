import type { CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';
import { issueCaptchaTicket } from '../features/captcha/index.ts';
import { browserHashOf } from './browser-hash.ts';
import type { TestBrowser } from './apps/open-test-app.ts';

/** Issues the ticket that this browser gets for solving a captcha for `purpose`. */
export async function solveCaptcha(db: Db, browser: TestBrowser, purpose: CaptchaPurpose): Promise<string> {
  return (await issueCaptchaTicket(db, { purpose, browserHash: browserHashOf(browser) })).ticket;
}
