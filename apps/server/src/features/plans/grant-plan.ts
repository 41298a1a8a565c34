import type { Db } from '../../db/driver.ts';
import { renewPlan, startGrantedPlan } from './change-plans.ts';
import { findPlanOfDevice, type GrantedOrder, insertGrantedOrder } from './plan-store.ts';

export type Granted = { orderId: number; planId: number };

/**
 * Inserts a paid order without a payment, for a redeemed key or a reward. The plan of the device gets longer if it is of the
 * same product; otherwise a plan starts, bound to the device unless that has another one. The caller has locked the account.
 */
export async function grantPlan(tx: Db, order: GrantedOrder): Promise<Granted> {
  const { userId, deviceId, terms } = order;
  const present = deviceId === null ? undefined : await findPlanOfDevice(tx, deviceId);
  const isSame = present?.userId === userId && present.productId === terms.productId;
  if (present !== undefined && isSame && (await renewPlan(tx, { userId, planId: present.id, terms })))
    return { orderId: await insertGrantedOrder(tx, order, present.id), planId: present.id };
  const id = await startGrantedPlan(tx, order);
  return { orderId: id, planId: id };
}
