import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertProduct } from '../../testing/billing-fixtures.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { MONTHLY_CAP } from './reward-rules.ts';
import {
  insertInvitee,
  insertOnlineDevice,
  insertPayment,
  listAll,
  passHours,
  readLedger,
  refund,
  runJob,
} from './testing/invitation-fixtures.ts';

test('the first device online makes a reward, which can be claimed after a day', async () => {
  await using t = await openTestDb();
  await insertProduct(t.db);
  const inviterId = await insertUser(t.db, 'li');
  const inviteeId = await insertInvitee(t.db, inviterId, '小王子');
  await runJob(t.db);
  expect(await listAll(t.db)).toEqual([]);

  await insertOnlineDevice(t.db, inviteeId);
  await runJob(t.db);
  await runJob(t.db);
  const reward = { userId: inviterId, inviteeId, inviteeName: '小***子', event: 'joined', days: 7, voidReason: null };
  expect(await listAll(t.db)).toEqual([{ ...reward, status: 'pending', worthFen: 49 }]);

  await passHours(t.db, 23);
  await runJob(t.db);
  expect(await listAll(t.db)).toMatchObject([{ status: 'pending' }]);
  expect(await readLedger(t.db)).toEqual({ sums: {}, references: [] });

  await passHours(t.db, 2);
  await runJob(t.db);
  await runJob(t.db);
  expect(await listAll(t.db)).toMatchObject([{ status: 'claimable' }]);
  expect(await readLedger(t.db)).toMatchObject({ sums: { rewards: 49, 'rewards-owed': -49 } });
});

test('an account that has not proven who it is, nobody invited, or joined long ago brings nothing', async () => {
  await using t = await openTestDb();
  const inviterId = await insertUser(t.db, 'li');
  const unproven = await insertInvitee(t.db, inviterId, 'unproven');
  const old = await insertInvitee(t.db, inviterId, 'old');
  const alone = await insertUser(t.db, 'alone');
  const noPhone = { phoneNumber: null, phoneBoundAt: null };
  await t.db.updateTable('userAccount').set(noPhone).where('id', '=', unproven).execute();
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  await sql`update user_account set created_at = ${longAgo} where id = ${old}`.execute(t.db);
  for (const id of [unproven, old, alone]) await insertOnlineDevice(t.db, id);

  await runJob(t.db);

  expect(await listAll(t.db)).toEqual([]);
});

test('only the first payment makes a reward, and what was free makes none', async () => {
  await using t = await openTestDb();
  const productId = await insertProduct(t.db);
  const inviterId = await insertUser(t.db, 'li');
  const inviteeId = await insertInvitee(t.db, inviterId);
  await insertPayment(t.db, inviteeId, productId, 0);
  await runJob(t.db);
  expect(await listAll(t.db)).toEqual([]);

  const first = await insertPayment(t.db, inviteeId, productId);
  await insertPayment(t.db, inviteeId, productId);
  await runJob(t.db);
  await passHours(t.db, 167);
  await runJob(t.db);
  await insertPayment(t.db, inviteeId, productId);
  await runJob(t.db);

  expect(await listAll(t.db)).toMatchObject([{ event: 'paid', status: 'pending', days: 30, worthFen: 213 }]);
  const row = await t.db.selectFrom('invitationReward').select('orderId').executeTakeFirst();
  expect(row?.orderId).toBe(first);
  await passHours(t.db, 2);
  await runJob(t.db);
  expect(await listAll(t.db)).toMatchObject([{ status: 'claimable' }]);
});

test.each([['pending', 0] as const, ['claimable', 200] as const])(
  'a refund makes a %s reward void, and takes it out of the ledger',
  async (status, hours) => {
    await using t = await openTestDb();
    const productId = await insertProduct(t.db);
    const inviteeId = await insertInvitee(t.db, await insertUser(t.db, 'li'));
    const orderId = await insertPayment(t.db, inviteeId, productId);
    await runJob(t.db);
    await passHours(t.db, hours);
    await runJob(t.db);
    expect(await listAll(t.db)).toMatchObject([{ status }]);

    await refund(t.db, orderId);
    await runJob(t.db);
    await runJob(t.db);

    expect(await listAll(t.db)).toMatchObject([{ status: 'void', voidReason: 'refunded' }]);
    const { sums } = await readLedger(t.db);
    expect(Object.values(sums).every((sum) => sum === 0)).toBe(true);
  },
);

test('rewards beyond the monthly cap are void, and another month counts anew', async () => {
  await using t = await openTestDb();
  const inviterId = await insertUser(t.db, 'li');
  for (let n = 0; n < MONTHLY_CAP + 2; n++) {
    await insertOnlineDevice(t.db, await insertInvitee(t.db, inviterId, `friend-${n}`));
  }
  await runJob(t.db);

  const statuses = (await listAll(t.db)).map(({ status, voidReason }) => voidReason ?? status);
  const pending = Array.from({ length: MONTHLY_CAP }, () => 'pending');
  expect(statuses).toEqual([...pending, 'monthly-cap', 'monthly-cap']);

  await sql`update invitation_reward set created_at = created_at - interval '32 days'`.execute(t.db);
  await insertOnlineDevice(t.db, await insertInvitee(t.db, inviterId, 'later'));
  await runJob(t.db);
  expect((await listAll(t.db)).at(-1)).toMatchObject({ status: 'pending' });
});

test('two processes that find the same event make one reward', async () => {
  await using t = await openTestDb();
  const inviterId = await insertUser(t.db, 'li');
  for (const n of [1, 2, 3]) await insertOnlineDevice(t.db, await insertInvitee(t.db, inviterId, `friend-${n}`));

  await Promise.all([runJob(t.db), runJob(t.db), runJob(t.db)]);

  expect(await listAll(t.db)).toHaveLength(3);
});

test('the reward stays when the account that brought it is deleted', async () => {
  await using t = await openTestDb();
  const inviterId = await insertUser(t.db, 'li');
  const inviteeId = await insertInvitee(t.db, inviterId);
  await insertOnlineDevice(t.db, inviteeId);
  await runJob(t.db);
  await t.db.deleteFrom('userAccount').where('id', '=', inviteeId).execute();
  await passHours(t.db, 25);
  await runJob(t.db);

  expect(await listAll(t.db)).toMatchObject([{ inviteeId: null, status: 'claimable' }]);
});
