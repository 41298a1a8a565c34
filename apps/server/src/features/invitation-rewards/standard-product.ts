import type { Db } from '../../db/driver.ts';
import { type PlanTerms, termsOf } from '../plans/index.ts';
import { findProduct } from '../products/index.ts';
import { findStandardProductId } from './reward-store.ts';

/**
 * The terms of so many days of the standard product: the first one in the catalogue that is not free. A begun fen counts in
 * full, so that the plan is not free and counts in full at an upgrade. Undefined where nothing is sold.
 */
export async function standardTerms(db: Db, days: number): Promise<PlanTerms | undefined> {
  const terms = await findStandard(db);
  return terms && { ...terms, days, priceFen: Math.ceil((terms.priceFen * days) / terms.days) };
}

/** What so many days of the standard product are worth, rounded down. */
export async function worthFen(db: Db, days: number): Promise<number> {
  const terms = await findStandard(db);
  return terms === undefined ? 0 : Math.floor((terms.priceFen * days) / terms.days);
}

async function findStandard(db: Db): Promise<PlanTerms | undefined> {
  const id = await findStandardProductId(db);
  const product = id === undefined ? undefined : await findProduct(db, id);
  return product && termsOf(product);
}
