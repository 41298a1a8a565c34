import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Db } from '../../../db/driver.ts';
import {
  insertDevice,
  insertPresence,
  insertRelay,
  insertServer,
  insertUser,
} from '../../../testing/device-fixtures.ts';
import { findRewards } from '../find-rewards.ts';

const HOUR_MS = 3_600_000;

/** Runs the job once. Throws for a reward that failed, which the job logs. */
export async function runJob(db: Db): Promise<void> {
  const failures: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => failures.push(line) });
  await findRewards({ db, log });
  if (failures.length > 0) throw new Error(failures.join(''));
}

/** Inserts an account that `inviterId` has invited, with a phone number of its own. */
export async function insertInvitee(db: Db, inviterId: number, username = '小王'): Promise<number> {
  const id = await insertUser(db, username);
  await db
    .updateTable('userAccount')
    .set({
      ...{ inviterId, inviterBoundAt: new Date() },
      ...{ phoneNumber: `+861380000${String(id).padStart(4, '0')}`, phoneBoundAt: new Date() },
    })
    .where('id', '=', id)
    .execute();
  return id;
}

/** Inserts a device of the user, and that it was online. Its address is 203.0.113.7. Returns its id. */
export async function insertOnlineDevice(db: Db, userId: number): Promise<number> {
  const serverId = await insertServer(db);
  await insertRelay(db, { serverId });
  const deviceId = await insertDevice(db, { userId, serverId });
  await insertPresence(db, { deviceId });
  return deviceId;
}

/** Inserts a paid order. Returns its id. */
export async function insertPayment(db: Db, userId: number, productId: number, amountFen = 2_600): Promise<number> {
  const terms = { productId, productName: '标准版', days: 365, bandwidthBps: 4_000_000, mappingLimit: 12 };
  const { id } = await db
    .insertInto('productOrder')
    .values({
      ...{ ...terms, appKinds: ['ssh'], priceFen: 2_600, amountFen, userId },
      ...{ number: randomUUID(), kind: 'new', status: 'paid', closesAt: new Date(), paidAt: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function refund(db: Db, orderId: number): Promise<void> {
  await db
    .updateTable('productOrder')
    .set((eb) => ({ status: 'refunded', refundedFen: eb.ref('amountFen') }))
    .where('id', '=', orderId)
    .execute();
}

/** Lets hours pass for all rewards. */
export async function passHours(db: Db, hours: number): Promise<void> {
  for (const { id, claimableAt } of await db
    .selectFrom('invitationReward')
    .select(['id', 'claimableAt'])
    .where('claimableAt', 'is not', null)
    .execute()) {
    const earlier = new Date((claimableAt?.getTime() ?? 0) - hours * HOUR_MS);
    await db.updateTable('invitationReward').set({ claimableAt: earlier }).where('id', '=', id).execute();
  }
}

export async function listAll(db: Db) {
  return await db
    .selectFrom('invitationReward')
    .select(['userId', 'inviteeId', 'inviteeName', 'event', 'status', 'days', 'worthFen', 'voidReason'])
    .orderBy('id')
    .execute();
}

/** Sums of the accounts of the ledger, and the references that were entered. */
export async function readLedger(db: Db): Promise<{ sums: Record<string, number>; references: string[] }> {
  const sums = await db
    .selectFrom('ledgerEntry')
    .groupBy('account')
    .select((eb) => ['account', eb.fn.sum<number>('amountFen').as('sum')])
    .execute();
  const entered = await db.selectFrom('ledgerTransaction').select('reference').orderBy('id').execute();
  return {
    sums: Object.fromEntries(sums.map(({ account, sum }) => [account, Number(sum)])),
    references: entered.map(({ reference }) => reference),
  };
}

/** Inserts a reward that can be claimed. Returns its id. */
export async function insertClaimable(
  db: Db,
  reward: { userId: number; days?: number; orderId?: number | null },
): Promise<number> {
  const { userId, days = 7, orderId = null } = reward;
  const { id } = await db
    .insertInto('invitationReward')
    .values({
      ...{ userId, days, orderId, inviteeId: null, inviteeName: '小***王', worthFen: 49 },
      ...{ event: orderId === null ? 'joined' : 'paid', status: 'claimable', claimableAt: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
