import type { FastifyInstance } from 'fastify';
import { must } from '@tongtu/base';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  insertAccount,
  logInFirstStep,
  openAccountApp,
  testKeys,
  testPassword,
  turnOnTotp,
} from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { hashPassword, resetPassword } from '../users/index.ts';
import { finishLogin } from './finish-login.ts';

const second = '/custom/login/second/';
const newPassword = 'a better password';

test.each(['reset', 'change'])('a login that waits for its second step is ended by a password %s', async (way) => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const owner = await app.browserOf(id);
  const { recoveryCodes } = await turnOnTotp(owner);
  const thief = app.browser();
  const { token } = must((await logInFirstStep(thief)).second_factor, 'a second step');

  if (way === 'reset') await resetPassword(t.db, id, newPassword);
  else await owner.call('POST', '/custom/password/', { old_password: testPassword, new_password: newPassword });
  const reply = await thief.call('POST', second, { token, recovery_code: recoveryCodes[0] });

  expect(reply).toMatchObject({ body: { code: 'second-factor.expired' } });
  expect(await t.db.selectFrom('loginStep').select('userId').execute()).toEqual([]);
});

test('a second step concurrent with a password reset leaves no session', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const { secret } = await turnOnTotp(await app.browserOf(id));
  const browser = app.browser();
  const { token } = must((await logInFirstStep(browser)).second_factor, 'a second step');

  await Promise.all([
    browser.call('POST', second, { token, code: totpCode(secret, { stepsLater: 1 }) }),
    resetPassword(t.db, id, newPassword),
  ]);

  expect(await t.db.selectFrom('session').select('userId').execute()).toEqual([]);
});

test.each([false, true])(
  'a password that was replaced after it was checked does not log in (two-step: %s)',
  async (isOn) => {
    await using t = await openTestDb();
    const id = await insertAccount(t.db);
    const secretSealed = Buffer.alloc(1);
    if (isOn) await t.db.insertInto('totp').values({ userId: id, secretSealed, confirmedAt: new Date() }).execute();
    const { passwordHash } = await t.db.selectFrom('userAccount').select('passwordHash').executeTakeFirstOrThrow();
    const checked = must(passwordHash, 'a hash');
    const deps = { ...testKeys, db: t.db, publicUrl: 'http://localhost' };
    await using app = await openTestApp(t.db, (server: FastifyInstance) => {
      server.post(
        '/test/finish',
        async (req, reply) => await finishLogin(deps, { id, passwordHash: checked }, { req, reply }),
      );
    });
    const finish = async () => await app.browser().call('POST', '/test/finish');

    expect((await finish()).status).toBe(200);
    await t.db.deleteFrom('session').execute();
    await t.db.deleteFrom('loginStep').execute();
    await t.db
      .updateTable('userAccount')
      .set({ passwordHash: await hashPassword(newPassword) })
      .execute();

    expect(await finish()).toMatchObject({ status: 401, body: { code: 'login.failed' } });
    expect(await t.db.selectFrom('session').select('userId').execute()).toEqual([]);
    expect(await t.db.selectFrom('loginStep').select('userId').execute()).toEqual([]);
  },
);
