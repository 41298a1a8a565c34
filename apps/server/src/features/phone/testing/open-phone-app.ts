import { AppError, type SmsPurpose } from '@tongtu/contract';
import { pino } from 'pino';
import type { Db } from '../../../db/driver.ts';
import { hashCheaply } from '../../../testing/hash-cheaply.ts';
import { openTestApp, testCsrfKey, type TestApp, type TestBrowser } from '../../../testing/apps/open-test-app.ts';
import { solveCaptcha } from '../../../testing/solve-captcha.ts';
import { registerLoginRoutes } from '../../login/index.ts';
import { registerPhoneRoutes } from '../phone-routes.ts';

export const sealingKey = Buffer.alloc(32, 3);
export const password = 'correct horse battery';
const passwordHash = await hashCheaply(password);

export type PhoneApp = TestApp & {
  /** All codes sent so far, in order. */
  sent: { to: string; purpose: SmsPurpose | 'mail'; code: string }[];
  /** Makes all further sending fail. */
  breakSending(): void;
  /** Requests a code as the console does, and returns it. */
  receiveCode(browser: TestBrowser, purpose: SmsPurpose, phone?: string): Promise<string>;
};

/** The login and phone routes, with a fake sender whose codes a test can read. */
export async function openPhoneApp(db: Db): Promise<PhoneApp> {
  const sent: PhoneApp['sent'] = [];
  let isBroken = false;
  const deps = {
    db,
    sealingKey,
    codeKey: Buffer.alloc(32, 5),
    csrfKey: testCsrfKey,
    publicUrl: 'http://localhost:8080',
    phoneRegions: ['86'],
    log: pino({ level: 'silent' }),
    smsPerDay: 2000,
    sms: {
      send: async ({ phone, purpose, code }: { phone: string; purpose: SmsPurpose; code: string }) => {
        if (isBroken) throw new AppError('sms.unavailable', { cause: new Error('no credit') });
        sent.push({ to: phone, purpose, code });
      },
    },
    mailer: {
      send: async ({ to, code = '' }: { to: string; code?: string }) => void sent.push({ to, purpose: 'mail', code }),
    },
  };
  const app = await openTestApp(db, (server) => {
    registerLoginRoutes(server, deps);
    registerPhoneRoutes(server, deps);
  });
  return {
    ...app,
    sent,
    breakSending() {
      isBroken = true;
    },
    async receiveCode(browser, purpose, phone) {
      await db.deleteFrom('rateCount').execute();
      const ticket = browser.cookies.has('sessionid') ? undefined : await solveCaptcha(db, browser, 'sms');
      const { status, text } = await post(browser, '/api/verify/sms/send/', { phone, purpose, ticket });
      if (status !== 200) throw new Error(`no code: ${text}`);
      return sent.at(-1)!.code;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

export async function post(browser: TestBrowser, path: string, body: object) {
  if (!browser.cookies.has('csrftoken')) await browser.call('GET', '/api/login_status/');
  return await browser.call('POST', path, body);
}

export async function insertUser(
  db: Db,
  { username, phone, hasPassword = true }: { username: string; phone?: string; hasPassword?: boolean },
): Promise<number> {
  const { id } = await db
    .insertInto('userAccount')
    .values({
      username,
      passwordHash: hasPassword ? passwordHash : null,
      phoneNumber: phone ?? null,
      phoneBoundAt: phone === undefined ? null : new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function phoneOf(db: Db, userId: number): Promise<string | null> {
  const row = await db
    .selectFrom('userAccount')
    .select('phoneNumber')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.phoneNumber;
}
