import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, openAccountApp, turnOnTotp } from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { totpCode } from '../../testing/totp-code.ts';
import { resetPassword } from './index.ts';

type Call = Parameters<TestBrowser['call']>;

/** What an intruder could do in a session to get in after the owner has reset the password. */
const ways: [what: string, prepare: (intruder: TestBrowser) => Promise<Call>][] = [
  [
    'an API token',
    async () => ['POST', '/api/user/api_tokens/', { name: 'x', scopes: ['access:write'], valid_days: null }],
  ],
  [
    'an authenticator app',
    async (intruder) => {
      const { body } = await intruder.call('POST', '/api/user/totp/');
      return ['POST', '/api/user/totp/confirm/', { code: totpCode((body as { secret: string }).secret) }];
    },
  ],
  [
    'recovery codes',
    async (intruder) => {
      await turnOnTotp(intruder);
      return ['POST', '/api/user/recovery_codes/'];
    },
  ],
  ['another account token', async () => ['PATCH', '/custom/profile/', { rotate_token: true }]],
];

test.each(ways)('a session that a reset of the password ends no longer gets %s', async (_what, prepare) => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const intruder = await app.browserOf(id);
  const call = await prepare(intruder);

  const [reset, got] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('userAccount').where('id', '=', id).select('id').forUpdate().execute(),
    async () => await resetPassword(t.db, id, 'a lion in the garden'),
    async () => await intruder.call(...call),
  );

  expect(reset).toMatchObject({ status: 'fulfilled', value: 'li' });
  expect(got).toMatchObject({ value: { status: 401, body: { code: 'session.required' } } });
});
