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

/** Reads the user's own mapping. Throws mapping.not-found, also for another user's. */
export async function getOwnMapping(db: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  return (await findMapping(db, mappingId, userId)) ?? notFound();
}

/** Locks the user's own mapping to change it or its access. Throws mapping.not-found. */
export async function getOwnMappingForChange(tx: Db, own: Own): Promise<MappingRow> {
  return (await findOwnMappingForChange(tx, own)) ?? notFound();
}

/** Like getOwnMappingForChange, but returns undefined for an unknown or another user's mapping. */
export async function findOwnMappingForChange(tx: Db, { mappingId, userId }: Own): Promise<MappingRow | undefined> {
  return await findMappingForUpdate(tx, mappingId, userId);
}

/**
 * Locks a mapping of any owner before a proof is inserted. Until the transaction ends nobody changes or deletes it, but
 * other proofs may be inserted. A concurrent call that revokes the mapping's proofs waits and revokes this one, too.
 */
export async function findMappingForProof(tx: Db, id: number): Promise<(MappingRow & { userId: number }) | undefined> {
  return await findMappingForShare(tx, id);
}

/** Like findMappingForProof, for the user's own mapping. Throws mapping.not-found. */
export async function getOwnMappingForProof(tx: Db, { mappingId, userId }: Own): Promise<MappingRow> {
  const mapping = await findMappingForShare(tx, mappingId);
  return mapping?.userId === userId ? mapping : notFound();
}

/** Like findMappingForProof, by the public name. `host` is lower case and without port. */
export async function findHostForProof(tx: Db, host: string): Promise<MappedHost | undefined> {
  return await findMappingByHostForShare(tx, host);
}

/** Locks a mapping before a ticket for it is inserted: nobody deletes it until the transaction ends. False if it is deleted. */
export async function lockMappingForTicket(tx: Db, id: number): Promise<boolean> {
  return (await findMappingForKeyShare(tx, id)) !== undefined;
}

function notFound(): never {
  throw new AppError('mapping.not-found');
}
