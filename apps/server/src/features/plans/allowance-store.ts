import type { CloudAppKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** What a device may use now: of its plan, or nothing without one. Times are texts, because they come as JSON. */
export type Allowance =
  | {
      planId: number;
      productName: string;
      priceFen: number;
      endsAt: string;
      isValid: boolean;
      bandwidthBps: number;
      mappingLimit: number;
      appKinds: CloudAppKind[];
    }
  | { planId: null; mappingLimit: null; bandwidthBps: null; isValid: false };

/** Of a query on `device`: null where billing is off. */
export function allowanceOfDevice() {
  return sql<Allowance | null>`(
    select json_build_object('planId', plan_id, 'productName', product_name, 'priceFen', price_fen, 'endsAt', ends_at,
      'isValid', is_valid, 'bandwidthBps', bandwidth_bps, 'mappingLimit', mapping_limit, 'appKinds', app_kinds)
    from device_allowance where device_allowance.device_id = device.id)`;
}

/** Undefined where billing is off, or there is no such device. */
export async function findAllowance(db: Db, deviceId: number): Promise<Allowance | undefined> {
  const row = await db
    .selectFrom('device')
    .where('id', '=', deviceId)
    .select(allowanceOfDevice().as('allowance'))
    .executeTakeFirst();
  return row?.allowance ?? undefined;
}

/** Of a query on `cloud_app`: the plan of its device has ended, or does not include its kind. */
export function lacksPlanForApp() {
  return sql<boolean>`exists (
    select from device_allowance where device_allowance.device_id = cloud_app.device_id
      and (not is_valid or cloud_app.kind <> all(app_kinds)))`;
}

/** Stores whether devices need plans. The view `device_allowance` reads it. */
export async function storeBilling(db: Db, billing: 'off' | 'on'): Promise<void> {
  const value = JSON.stringify(billing);
  await db
    .insertInto('setting')
    .values({ name: 'billing', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
