import type { Db } from '../../db/driver.ts';
import type { PlanTerms } from '../plans/index.ts';

type Delivery = { orderId: number; terms: PlanTerms; quantity: number; placeId: number | null };

export async function deliverKeys(_tx: Db, _sealingKey: Buffer, _delivery: Delivery): Promise<void> {
  throw new Error('replaced by the branch of product keys');
}

export async function voidKeysOfOrder(_tx: Db, _orderId: number): Promise<void> {
  throw new Error('replaced by the branch of product keys');
}
