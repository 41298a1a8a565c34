import { pino, type Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { registerAccountRoutes } from '../../features/account-data/index.ts';
import { registerApiTokenRoutes } from '../../features/api-tokens/index.ts';
import { registerFirstStepsRoutes } from '../../features/first-steps/index.ts';
import { registerInvitationRoutes } from '../../features/invitations/index.ts';
import { registerLoginRoutes } from '../../features/login/index.ts';
import { registerManageUserRoutes } from '../../features/manage-users/index.ts';
import type { Mailer } from '../../features/mail/index.ts';
import { registerRegistrationRoutes } from '../../features/registration/index.ts';
import { registerRoleRoutes } from '../../features/roles/index.ts';
import { registerSecondFactorRoutes } from '../../features/second-factor/index.ts';
import { registerSessionRoutes } from '../../features/sessions/index.ts';
import { registerTrustedBrowserRoutes } from '../../features/trusted-browsers/index.ts';
import { createAccountToken, registerUserRoutes } from '../../features/users/index.ts';
import { hashCheaply } from '../hash-cheaply.ts';
import { openTestApp, testCsrfKey, type TestApp, type TestBrowser } from './open-test-app.ts';
import { totpCode } from '../totp-code.ts';

export const testKeys = {
  sealingKey: Buffer.alloc(32, 3),
  recoveryKey: Buffer.alloc(32, 4),
  codeKey: Buffer.alloc(32, 5),
  csrfKey: testCsrfKey,
};

export const testPassword = 'correct horse battery';
const passwordHash = await hashCheaply(testPassword);

/** Every call about one's own account, at http://localhost. */
export async function openAccountApp(
  db: Db,
  { log = pino({ level: 'silent' }), mailer }: { log?: Logger; mailer?: Mailer } = {},
): Promise<TestApp> {
  const deps = {
    ...testKeys,
    db,
    publicUrl: 'http://localhost',
    billing: 'off' as const,
    phoneRegions: ['86'],
    log,
    mailer,
  };
  return await openTestApp(db, (app) => {
    registerLoginRoutes(app, deps);
    registerUserRoutes(app, deps);
    registerSessionRoutes(app, deps);
    registerTrustedBrowserRoutes(app, deps);
    registerApiTokenRoutes(app, deps);
    registerSecondFactorRoutes(app, deps);
    registerAccountRoutes(app, deps);
    registerManageUserRoutes(app, deps);
    registerRoleRoutes(app, deps);
    registerInvitationRoutes(app, deps);
    registerRegistrationRoutes(app, { ...deps, registrationMethods: [] });
    registerFirstStepsRoutes(app, { db, baseDomain: 'localhost' });
  });
}

/** Inserts an account with its token and, unless `hasPassword` is false, `testPassword`. */
export async function insertAccount(
  db: Db,
  account: {
    username?: string;
    email?: string;
    phoneNumber?: string;
    hasPassword?: boolean;
    isStaff?: boolean;
    isSuperuser?: boolean;
  } = {},
): Promise<number> {
  const { username = 'li', email = '', phoneNumber, hasPassword = true } = account;
  const { isStaff = false, isSuperuser = false } = account;
  const phone = phoneNumber === undefined ? {} : { phoneNumber, phoneBoundAt: new Date() };
  const { id } = await db
    .insertInto('userAccount')
    .values({ username, email, isStaff, isSuperuser, ...phone, passwordHash: hasPassword ? passwordHash : null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await createAccountToken(db, testKeys.sealingKey, id);
  return id;
}

/** Sets up an authenticator app through the API. This uses up its current code. */
export async function turnOnTotp(browser: TestBrowser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const setup = await browser.call('POST', '/api/user/totp/');
  const { secret } = setup.body as { secret: string };
  const confirmed = await browser.call('POST', '/api/user/totp/confirm/', { code: totpCode(secret) });
  if (confirmed.status !== 200) throw new Error(`the app was not turned on: ${confirmed.text}`);
  return { secret, recoveryCodes: (confirmed.body as { recovery_codes: string[] }).recovery_codes };
}

/** Completes the first step of a login. Returns what the reply says of the second. */
export async function logInFirstStep(
  browser: TestBrowser,
  account = 'li',
  password = testPassword,
): Promise<{ id: number; second_factor: { token: string; methods: string[] } | null }> {
  await browser.call('GET', '/api/login_status/');
  const reply = await browser.call('POST', '/custom/login/', { account, password });
  if (reply.status !== 200) throw new Error(`the first step failed: ${reply.text}`);
  return reply.body as { id: number; second_factor: { token: string; methods: string[] } | null };
}
