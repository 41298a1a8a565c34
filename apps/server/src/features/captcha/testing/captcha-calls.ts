import type { CaptchaChallenge, CaptchaPurpose, CaptchaType } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import type { TestBrowser } from '../../../testing/apps/open-test-app.ts';
import { resetFailures, allowAttempt, registerCaptchaRoutes, useCaptchaTicket } from '../index.ts';
import { lookUpAnswer, rightAnswer } from './answers.ts';

export type SentMail = { to: string; code: string };

/** Registers the calls under test, one that needs a ticket, and one that counts attempts. */
export function captchaRoutes(db: Db, mails: SentMail[] = []) {
  const mailer = {
    async send({ to, code }: { to: string; code?: string }) {
      mails.push({ to, code: code ?? '' });
    },
  };
  return (app: FastifyInstance) => {
    const log = pino({ level: 'silent' });
    registerCaptchaRoutes(app, { db, log, codeKey: Buffer.alloc(32, 5), sms: undefined, smsPerDay: 2000, mailer });
    type Use = { Querystring: { ticket: string; purpose: CaptchaPurpose } };
    app.get<Use>('/test/use', async (req) => ({ ok: await useCaptchaTicket(db, { ...req.query, req }) }));
    app.get<{ Querystring: { right?: string } }>('/test/try', async (req) => {
      const attempt = { purpose: 'login', target: 'li', ticket: undefined, req } as const;
      const ok = await allowAttempt(db, attempt);
      if (ok && req.query.right !== undefined) await resetFailures(db, attempt);
      return { ok };
    });
  };
}

export async function fetchChallenge(browser: TestBrowser, query: string): Promise<CaptchaChallenge> {
  const reply = await browser.call('GET', `/captcha/?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body as CaptchaChallenge; // parsed by the contract before it was sent
}

/** Fetches login challenges until one has this kind, because the server chooses. Resets the counts in between. */
export async function fetchKind(db: Db, browser: TestBrowser, type: CaptchaType): Promise<CaptchaChallenge> {
  for (;;) {
    const challenge = await fetchChallenge(browser, 'purpose=login');
    if (challenge.type === type) return challenge;
    await db.deleteFrom('captchaChallenge').where('key', '=', challenge.key).execute();
    await db.deleteFrom('rateCount').execute();
  }
}

/** Answers right, or `off` pixels or degrees away. */
export async function answerChallenge(db: Db, browser: TestBrowser, key: string, off = 0) {
  return await browser.call('POST', '/captcha/', { key, answer: rightAnswer(await lookUpAnswer(db, key), off) });
}

export async function earnTicket(db: Db, browser: TestBrowser, purpose: CaptchaPurpose): Promise<string> {
  const { key } = await fetchChallenge(browser, `purpose=${purpose}&type=click`);
  const { body } = await answerChallenge(db, browser, key);
  return (body as { ticket: string }).ticket;
}

export async function spendTicket(browser: TestBrowser, ticket: string, purpose: CaptchaPurpose): Promise<boolean> {
  const { body } = await browser.call('GET', `/test/use?purpose=${purpose}&ticket=${ticket}`);
  return (body as { ok: boolean }).ok;
}
