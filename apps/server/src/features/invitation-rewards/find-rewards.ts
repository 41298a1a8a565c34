import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare, lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { moveInLedger } from '../ledger/index.ts';
import { MONTHLY_CAP, rewardDays } from './reward-rules.ts';
import * as store from './reward-store.ts';
import { isSamePerson } from './person-trace-store.ts';
import { worthFen } from './standard-product.ts';

const FIND_EVERY_SECONDS = 30;
/** In one run; the next one goes on. */
const PORTION = 1_000;

export type RewardJobDeps = { db: Db; log: Logger };

/**
 * Rewards are found by query: an event has a reward or it has none, so no crash and no repetition loses or doubles one, and
 * what causes the events need not know of rewards.
 */
export function invitationRewardJobs(deps: RewardJobDeps): SharedJob[] {
  const run = async (): Promise<void> => await findRewards(deps);
  return [{ name: 'find invitation rewards', everySeconds: FIND_EVERY_SECONDS, run }];
}

/** Inserts the rewards of events that have none, makes those claimable whose time has come, and voids refunded ones. */
export async function findRewards({ db, log }: RewardJobDeps): Promise<void> {
  for (const list of [store.listJoined, store.listPaid]) {
    for (const { inviteeId } of await list(db, { limit: PORTION })) {
      await orLog(log, { inviteeId }, async () => await addReward(db, { list, inviteeId }));
    }
  }
  for (const reward of await store.listToSettle(db, PORTION)) {
    await orLog(log, { rewardId: reward.id }, async () => await settleReward(db, reward));
  }
}

/** One that fails does not keep the others back. */
async function orLog(log: Logger, what: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    log.error({ err, ...what }, 'an invitation reward failed');
  }
}

async function addReward(
  db: Db,
  { list, inviteeId }: { list: typeof store.listJoined; inviteeId: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const [found] = await list(tx, { limit: 1, inviteeId });
    if (found === undefined) return;
    await lockUserForNoKeyUpdate(tx, found.inviterId);
    if (!(await lockUserForKeyShare(tx, inviteeId))) return;
    // Looked up again: the inviter's account may have been deleted, and another process may have added the reward.
    const [due] = await list(tx, { limit: 1, inviteeId });
    if (due === undefined) return;
    const days = rewardDays[due.event];
    await store.insertReward(tx, {
      ...due,
      days,
      worthFen: await worthFen(tx, days),
      voidReason: await findVoidReason(tx, due),
    });
  });
}

async function findVoidReason(tx: Db, due: store.DueEvent): Promise<store.VoidReason | undefined> {
  if (await isSamePerson(tx, due)) return 'same-person';
  return (await store.countOfMonth(tx, due.inviterId)) >= MONTHLY_CAP ? 'monthly-cap' : undefined;
}

async function settleReward(db: Db, wanted: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUserForNoKeyUpdate(tx, wanted.userId);
    const reward = await store.findReward(tx, wanted);
    if (reward === undefined || (reward.status !== 'pending' && reward.status !== 'claimable')) return;
    if (await store.isRefunded(tx, reward.orderId)) {
      await voidReward(tx, reward, 'refunded');
    } else if (reward.status === 'pending') {
      await endWaiting(tx, reward);
    }
  });
}

async function endWaiting(tx: Db, reward: store.RewardRow): Promise<void> {
  const { id, userId, inviteeId, orderId, worthFen: amountFen } = reward;
  if (inviteeId !== null && (await isSamePerson(tx, { inviterId: userId, inviteeId }))) {
    await voidReward(tx, reward, 'same-person');
    return;
  }
  await store.markClaimable(tx, id);
  const entry = { reference: `reward:${id}:earned`, from: 'rewards-owed', to: 'rewards', amountFen } as const;
  await moveInLedger(tx, orderId === null ? entry : { ...entry, orderId });
}

async function voidReward(tx: Db, { id, status, worthFen: amountFen }: store.RewardRow, reason: store.VoidReason) {
  await store.markVoid(tx, id, reason);
  if (status !== 'claimable') return; // a pending one is not in the ledger
  await moveInLedger(tx, { reference: `reward:${id}:void`, from: 'rewards', to: 'rewards-owed', amountFen });
}
