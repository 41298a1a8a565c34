import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMapping, lockMapping, type MappingRow } from './mapping-store.ts';

type Own = { mappingId: number; userId: number };

/** A mapping for its owner. Throws mapping.not-found, also for what belongs to someone else. */
export async function getOwnMapping(db: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  return (await findMapping(db, mappingId, userId)) ?? notFound();
}

/** The same; nobody else changes it until the transaction ends. */
export async function lockOwnMapping(tx: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  return (await lockMapping(tx, mappingId, userId)) ?? notFound();
}

function notFound(): never {
  throw new AppError('mapping.not-found');
}
