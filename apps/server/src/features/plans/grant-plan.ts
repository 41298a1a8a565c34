import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { startPlan } from './change-plans.ts';
import type { PlanTerms } from './plan-prices.ts';
import { renewPlan } from './change-plans.ts';
import { findPlanOfDevice } from './plan-store.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's base32, so that people can read it aloud

/** A number for people and payment providers: T, the day in UTC, and ten random letters. Alipay and WeChat take 32 letters. */
export function newNumber(prefix: 'T' | 'P' | 'R', now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  return `${prefix}${day}${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}

export type Grant = { userId: number; kind: 'key' | 'reward'; terms: PlanTerms; deviceId: number | null };

/**
 * Inserts a paid order without a payment, for a redeemed key or a reward. The plan of the device gets longer if it is of the
 * same product; otherwise a plan starts, bound to the device unless that has another one. The caller has locked the account.
 */
export async function grantPlan(
  tx: Db,
  { userId, kind, terms, deviceId }: Grant,
): Promise<{ orderId: number; planId: number }> {
  const { id: orderId } = await tx
    .insertInto('productOrder')
    .values({
      number: newNumber('T', new Date()),
      userId,
      kind,
      status: 'paid',
      ...terms,
      amountFen: 0,
      deviceId,
      closesAt: sql<Date>`now()`,
      paidAt: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const present = deviceId === null ? undefined : await findPlanOfDevice(tx, deviceId);
  const isRenewal = present?.userId === userId && present.productId === terms.productId;
  if (present && isRenewal && (await renewPlan(tx, { userId, planId: present.id, terms }))) {
    return await linkPlan(tx, { orderId, planId: present.id });
  }
  await startPlan(tx, { userId, orderId, deviceId, terms });
  return await linkPlan(tx, { orderId, planId: orderId });
}

async function linkPlan(
  tx: Db,
  ids: { orderId: number; planId: number },
): Promise<{ orderId: number; planId: number }> {
  await tx.updateTable('productOrder').set({ planId: ids.planId }).where('id', '=', ids.orderId).execute();
  return ids;
}
