import { AppError, type CloudAppKind } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type Allowance, findAllowance } from './allowance-store.ts';

/** When the relays stop serving visitors: 0 without a plan, undefined where none is needed. */
export function planEndsAtMs(allowance: Allowance | null): number | undefined {
  if (allowance === null) return undefined;
  return allowance.planId === null ? 0 : Date.parse(allowance.endsAt);
}

/** Bit/s in each direction. What staff set for a device goes before its plan, and the plan before the default. */
export function bandwidthOf(
  device: { bandwidthBps: number | null; allowance: Allowance | null },
  defaultBps: number | null,
): number | null {
  return device.bandwidthBps ?? device.allowance?.bandwidthBps ?? defaultBps;
}

/** Throws plan.expired where the device needs a plan and has no valid one. */
export async function assertHasPlan(tx: Db, deviceId: number): Promise<Allowance | undefined> {
  const allowance = await findAllowance(tx, deviceId);
  if (allowance?.isValid === false) throw new AppError('plan.expired');
  return allowance;
}

/** Throws plan.expired, and plan.mapping-limit where the device has as many mappings as its plan allows. */
export async function assertMayAddMapping(tx: Db, deviceId: number, present: number): Promise<void> {
  const allowance = await assertHasPlan(tx, deviceId);
  if (allowance?.isValid && present >= allowance.mappingLimit) throw new AppError('plan.mapping-limit');
}

/** Throws plan.expired, and plan.app-kind where the plan does not include this kind of app. */
export async function assertMayUseApp(tx: Db, deviceId: number, kind: CloudAppKind): Promise<void> {
  const allowance = await assertHasPlan(tx, deviceId);
  if (allowance?.isValid && !allowance.appKinds.includes(kind)) throw new AppError('plan.app-kind');
}
