import { createHash, randomBytes } from 'node:crypto';
import type { CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';
import { issueCaptchaTicket } from '../features/captcha/index.ts';
import type { TestBrowser } from './open-test-app.ts';

const COOKIE = 'captcha_browser';

/** A ticket as if this browser had just solved a captcha for `purpose`. */
export async function solveCaptcha(db: Db, { cookies }: TestBrowser, purpose: CaptchaPurpose): Promise<string> {
  const id = cookies.get(COOKIE) ?? randomBytes(32).toString('base64url');
  cookies.set(COOKIE, id);
  const browserHash = createHash('sha256').update(id).digest();
  return (await issueCaptchaTicket(db, { purpose, browserHash })).ticket;
}
