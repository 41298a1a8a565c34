import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findMapping, holdMapping, lockMapping, type MappingRow } from './mapping-store.ts';

type Own = { mappingId: number; userId: number };

/** A mapping for its owner. Throws mapping.not-found, also for what belongs to someone else. */
export async function getOwnMapping(db: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  return (await findMapping(db, mappingId, userId)) ?? notFound();
}

/** The same; nobody else changes it until the transaction ends. */
export async function lockOwnMapping(tx: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  return (await lockMapping(tx, mappingId, userId)) ?? notFound();
}

/** The same; nobody changes it until the transaction ends, but others may look at it like this. */
export async function holdOwnMapping(tx: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  const mapping = await holdMapping(tx, mappingId);
  return mapping?.userId === userId ? mapping : notFound();
}

function notFound(): never {
  throw new AppError('mapping.not-found');
}
