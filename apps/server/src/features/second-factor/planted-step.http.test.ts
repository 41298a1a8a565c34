import { must } from '@tongtu/base';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, logInFirstStep, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import { totpCode } from '../../testing/totp-code.ts';

test('a login step cookie planted by another tenant’s page does not break the login, and proves nothing by itself', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const { secret } = await turnOnTotp(await app.browserOf(id));
  const browser = app.browser();
  const { token } = must((await logInFirstStep(browser)).second_factor, 'a second step');
  const planted = { cookie: `loginstep=${'A'.repeat(43)}; loginstep=junk` };
  const body = { token, code: totpCode(secret, { stepsLater: 1 }) };

  const other = app.browser();
  await other.call('GET', '/api/login_status/');
  expect(await other.call('POST', '/custom/login/second/', body, planted)).toMatchObject({
    body: { code: 'second-factor.expired' },
  });
  expect(await browser.call('POST', '/custom/login/second/', body, planted)).toMatchObject({
    status: 200,
    body: { id },
  });
});
