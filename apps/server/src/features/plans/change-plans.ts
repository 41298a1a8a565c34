import { AppError, MAX_PLAN_DAYS_AHEAD } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announcePlanChange } from '../live/index.ts';
import { canExtendWith, type PlanTerms, termsAfterRenewal, upgradePriceFen } from './plan-prices.ts';
import * as store from './plan-store.ts';

/**
 * Changes of plans. Each runs in the transaction of what caused it, which has locked the account first
 * (`lockUserForNoKeyUpdate`), and ends by notifying the relays of the device.
 */
type Owner = { userId: number };

/** Starts a plan for a paid order. Where the device already has a plan that is not over, it starts unbound. */
export async function startPlan(
  tx: Db,
  order: Owner & { orderId: number; deviceId: number | null; terms: PlanTerms },
): Promise<void> {
  const { userId, terms } = order;
  const deviceId = await freeDevice(tx, order);
  await store.insertPlan(tx, { id: order.orderId, userId, deviceId, terms });
  await announce(tx, userId, deviceId);
}

/** Starts a plan whose order needs no payment, and inserts this order. Returns the id of both. */
export async function startGrantedPlan(tx: Db, order: store.GrantedOrder): Promise<number> {
  const boundTo = await freeDevice(tx, order);
  const id = await store.insertGrantedPlan(tx, { ...order, boundTo });
  await announce(tx, order.userId, boundTo);
  return id;
}

/** The device, if the plan can be bound to it; a free or expired plan leaves it. */
async function freeDevice(
  tx: Db,
  { userId, deviceId, terms }: Owner & { deviceId: number | null; terms: PlanTerms },
): Promise<number | null> {
  if (deviceId === null || !(await store.ownsDevice(tx, { id: deviceId, userId }))) return null;
  const present = await store.findPlanOfDevice(tx, deviceId);
  if (present === undefined) return deviceId;
  if (!isReplaceable(present, terms)) return null;
  await store.setPlanDevice(tx, present.id, null);
  return deviceId;
}

/**
 * Throws if a plan with these terms cannot go to the device: device.not-found, plan.device-has-plan where the present one is
 * of another product or would lose something, plan.too-far-ahead where it would become too long.
 */
export async function assertFitsDevice(
  tx: Db,
  { userId, deviceId, terms }: Owner & { deviceId: number; terms: PlanTerms },
): Promise<void> {
  if (!(await store.ownsDevice(tx, { id: deviceId, userId }))) throw new AppError('device.not-found');
  const present = await store.findPlanOfDevice(tx, deviceId);
  if (present === undefined) return;
  if (present.productId !== terms.productId || !canExtendWith(present, terms)) {
    if (!isReplaceable(present, terms)) throw new AppError('plan.device-has-plan');
  } else if (await store.wouldReachTooFar(tx, present.id, terms.days, MAX_PLAN_DAYS_AHEAD)) {
    throw new AppError('plan.too-far-ahead');
  }
}

/** A plan that is over leaves its device to any other, and a free one to one that was paid. */
export function isReplaceable(present: store.PlanRow, by: PlanTerms): boolean {
  return present.isExpired || (present.priceFen === 0 && by.priceFen > 0);
}

/**
 * Extends a plan. False if there is no such plan of the user any more, or if it would reach too far ahead, or lose what it
 * has: it may have been upgraded since the renewal was ordered.
 */
export async function renewPlan(
  tx: Db,
  { userId, planId, terms }: Owner & { planId: number; terms: PlanTerms },
): Promise<boolean> {
  const plan = await findOwn(tx, { userId, planId });
  if (plan === undefined || !canExtendWith(plan, terms)) return false;
  if (await store.wouldReachTooFar(tx, planId, terms.days, MAX_PLAN_DAYS_AHEAD)) return false;
  const renewed = plan.isExpired ? terms : termsAfterRenewal(plan, terms);
  await store.extendPlan(tx, planId, { days: terms.days, terms: renewed });
  await announce(tx, userId, plan.deviceId);
  return true;
}

/**
 * Gives a plan other terms for the rest of its time. False where the plan is not of the product `from` any more, is over, or
 * has got so much more time since the upgrade was ordered that it would cost more than `paidFen`.
 */
export async function upgradePlan(
  tx: Db,
  upgrade: Owner & { planId: number; terms: PlanTerms; from: { productId: number }; paidFen: number },
): Promise<boolean> {
  const { userId, planId, terms, from, paidFen } = upgrade;
  const plan = await findOwn(tx, { userId, planId });
  if (plan === undefined || plan.isExpired || plan.productId !== from.productId) return false;
  if (upgradePriceFen(plan, terms, await store.remainingSeconds(tx, planId)) > paidFen) return false;
  await store.setPlanTerms(tx, planId, terms);
  await announce(tx, userId, plan.deviceId);
  return true;
}

/** Adds days to the plan of a device that is not free. False without one, or where it would reach too far ahead. */
export async function addDaysToDevice(
  tx: Db,
  { userId, deviceId, days }: Owner & { deviceId: number; days: number },
): Promise<'done' | 'no-plan' | 'too-far-ahead'> {
  const plan = await store.findPlanOfDevice(tx, deviceId);
  if (plan === undefined || plan.userId !== userId || plan.priceFen === 0) return 'no-plan';
  if (await store.wouldReachTooFar(tx, plan.id, days, MAX_PLAN_DAYS_AHEAD)) return 'too-far-ahead';
  await store.addDays(tx, plan.id, days);
  await announce(tx, userId, deviceId);
  return 'done';
}

/** Takes back what a fully refunded order gave: its days, or the better terms of an upgrade. */
export async function takeBack(
  tx: Db,
  order: Owner & { planId: number; days: number; productId: number; replacedTerms: PlanTerms | undefined },
): Promise<void> {
  const plan = await findOwn(tx, order);
  if (plan === undefined) return;
  if (order.replacedTerms === undefined) await store.takeDays(tx, plan.id, order.days);
  else if (plan.productId === order.productId) await store.setPlanTerms(tx, plan.id, order.replacedTerms);
  await announce(tx, order.userId, plan.deviceId);
}

/**
 * Binds a plan to a device of the same owner; it leaves the device where it was. Throws device.not-found, plan.not-found (also
 * for one that is over), plan.device-has-plan.
 */
export async function bindPlan(
  tx: Db,
  { userId, planId, deviceId }: Owner & { planId: number; deviceId: number },
): Promise<void> {
  if (!(await store.ownsDevice(tx, { id: deviceId, userId }))) throw new AppError('device.not-found');
  const plan = await findOwn(tx, { userId, planId });
  if (plan === undefined || plan.isExpired) throw new AppError('plan.not-found');
  if (plan.deviceId === deviceId) return;
  const present = await store.findPlanOfDevice(tx, deviceId);
  if (present !== undefined && !isReplaceable(present, plan)) throw new AppError('plan.device-has-plan');
  if (present !== undefined) await store.setPlanDevice(tx, present.id, null);
  await store.setPlanDevice(tx, planId, deviceId);
  await announce(tx, userId, plan.deviceId, deviceId);
}

/** Throws plan.not-found where the plan is not bound to this device. */
export async function unbindPlan(
  tx: Db,
  { userId, planId, deviceId }: Owner & { planId: number; deviceId: number },
): Promise<void> {
  const plan = await findOwn(tx, { userId, planId });
  if (plan?.deviceId !== deviceId) throw new AppError('plan.not-found');
  await store.setPlanDevice(tx, planId, null);
  await announce(tx, userId, deviceId);
}

/**
 * Moves the plan of a lost device to the device that takes its place. A plan that this one has becomes unbound, unless it is
 * the better one: paid and not over, where the moved one is free or over. Then the moved one becomes unbound.
 */
export async function movePlan(
  tx: Db,
  { userId, fromDeviceId, toDeviceId }: Owner & { fromDeviceId: number; toDeviceId: number },
): Promise<void> {
  const plan = await store.findPlanOfDevice(tx, fromDeviceId);
  if (plan === undefined) return;
  const present = await store.findPlanOfDevice(tx, toDeviceId);
  await store.setPlanDevice(tx, plan.id, null);
  if (present === undefined || !isBetter(present, plan)) {
    if (present !== undefined) await store.setPlanDevice(tx, present.id, null);
    await store.setPlanDevice(tx, plan.id, toDeviceId);
  }
  await announce(tx, userId);
}

/** Not over, where the other is over or free. */
function isBetter(plan: store.PlanRow, other: store.PlanRow): boolean {
  return !plan.isExpired && (other.isExpired || (other.priceFen === 0 && plan.priceFen > 0));
}

export function termsOf(row: PlanTerms): PlanTerms {
  const { productId, productName, days, bandwidthBps, mappingLimit, appKinds, priceFen } = row;
  return { productId, productName, days, bandwidthBps, mappingLimit, appKinds, priceFen };
}

async function findOwn(tx: Db, { userId, planId }: Owner & { planId: number }): Promise<store.PlanRow | undefined> {
  const plan = await store.findPlan(tx, planId);
  return plan?.userId === userId ? plan : undefined;
}

/** With the devices that have or had the plan. */
async function announce(tx: Db, userId: number, ...deviceIds: (number | null)[]): Promise<void> {
  await announcePlanChange(tx, { userId, deviceIds: deviceIds.filter((id) => id !== null) });
}
