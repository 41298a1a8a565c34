import type { Db } from '../../db/driver.ts';
import { renewPlan, startPlan } from './change-plans.ts';
import type { PlanTerms } from './plan-prices.ts';
import { findPlanOfDevice, insertGrantedOrder, setOrderPlan } from './plan-store.ts';

export type Grant = { userId: number; kind: 'key' | 'reward'; terms: PlanTerms; deviceId: number | null };
export type Granted = { orderId: number; planId: number };

/**
 * Inserts a paid order without a payment, for a redeemed key or a reward. The plan of the device gets longer if it is of the
 * same product; otherwise a plan starts, bound to the device unless that has another one. The caller has locked the account.
 */
export async function grantPlan(tx: Db, { userId, kind, terms, deviceId }: Grant): Promise<Granted> {
  const orderId = await insertGrantedOrder(tx, { userId, kind, terms, deviceId });
  const present = deviceId === null ? undefined : await findPlanOfDevice(tx, deviceId);
  const isSame = present?.userId === userId && present.productId === terms.productId;
  const isRenewed = present !== undefined && isSame && (await renewPlan(tx, { userId, planId: present.id, terms }));
  if (isRenewed) await setOrderPlan(tx, orderId, present.id);
  else await startPlan(tx, { userId, orderId, deviceId, terms });
  return { orderId, planId: isRenewed ? present.id : orderId };
}
