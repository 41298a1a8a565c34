import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import {
  findMapping,
  findMappingByHostForShare,
  findMappingForKeyShare,
  findMappingForShare,
  findMappingForUpdate,
  type MappedHost,
  type MappingRow,
} from './mapping-store.ts';

type Own = { mappingId: number; userId: number };

/** A mapping for its owner. Throws mapping.not-found, also for what belongs to someone else. */
export async function getOwnMapping(db: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  return (await findMapping(db, mappingId, userId)) ?? notFound();
}

/** The same for who is going to change it, or whom it lets in: nobody else does until the transaction ends. */
export async function getOwnMappingForChange(tx: Db, own: Own): Promise<MappingRow> {
  return (await findOwnMappingForChange(tx, own)) ?? notFound();
}

/** The same; undefined for what belongs to someone else. */
export async function findOwnMappingForChange(tx: Db, { mappingId, userId }: Own): Promise<MappingRow | undefined> {
  return await findMappingForUpdate(tx, mappingId, userId);
}

/**
 * A mapping of any owner, for a proof that a visitor is about to get. Until the transaction ends nobody changes or deletes
 * it, but other visitors may get theirs. A call that ends the mapping's proofs finds this one, or has run before.
 */
export async function findMappingForProof(tx: Db, id: number): Promise<(MappingRow & { userId: number }) | undefined> {
  return await findMappingForShare(tx, id);
}

/** The same for its owner. Throws mapping.not-found. */
export async function getOwnMappingForProof(tx: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  const mapping = await findMappingForShare(tx, mappingId);
  return mapping?.userId === userId ? mapping : notFound();
}

/** The same for what a public name leads to. `host` is lower case and without port. */
export async function findHostForProof(tx: Db, host: string): Promise<MappedHost | undefined> {
  return await findMappingByHostForShare(tx, host);
}

/** Whether a ticket may be given for it: it has not been deleted, and is not until the transaction ends. */
export async function isThereForTicket(tx: Db, id: number): Promise<boolean> {
  return (await findMappingForKeyShare(tx, id)) !== undefined;
}

function notFound(): never {
  throw new AppError('mapping.not-found');
}
