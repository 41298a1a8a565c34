import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { insertServer } from '../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { enrolDevice } from '../devices/index.ts';
import { disableAccount } from './change-account.ts';

test('a device that is being enrolled while its account is disabled is cut off, too', async () => {
  await using t = await openTestDb();
  const byUserId = await insertAccount(t.db, { username: 'staff', isStaff: true });
  const userId = await insertAccount(t.db);
  const serverId = await insertServer(t.db);
  const announced: number[] = [];
  const both = Promise.withResolvers<void>();
  const hear = (payload: string): void => {
    const { deviceId } = JSON.parse(payload) as { deviceId: number };
    if (announced.push(deviceId) === 2) both.resolve();
  };
  await t.listen('device_changed', hear, () => undefined);
  const agent = { token: 'any', publicKey: randomBytes(32).toString('base64url'), name: 'NAS', serverId };

  const [enrolled, disabled] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('server').select('id').forUpdate().execute(),
    async () => await enrolDevice({ db: t.db, claimToken: async () => await Promise.resolve({ userId }) }, agent),
    async () => await disableAccount(t.db, { byUserId, ip: '203.0.113.7', userId }),
  );

  expect(disabled.status).toBe('fulfilled');
  await both.promise;
  expect(enrolled).toMatchObject({ value: { deviceId: announced[0] } });
  expect(announced[1]).toBe(announced[0]);
});
