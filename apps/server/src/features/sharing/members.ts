import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceAccessChange } from '../live/index.ts';
import { findMapping, lockMapping } from '../mappings/index.ts';
import { markGroundsRevoked } from '../verifications/index.ts';
import { assertTakesCookies } from './assert-takes-cookies.ts';
import { deleteMember, findMappingOfMember, insertMember, listMembers, type MemberRow } from './member-store.ts';
import { readContact } from './read-contact.ts';

export type MemberDeps = {
  db: Db;
  /** Country calling codes, the one of numbers without a code first. */
  phoneRegions: readonly string[];
};

const MAX_MEMBERS = 100;

/** Throws mapping.not-found. */
export async function listMembersOfMapping(db: Db, own: { mappingId: number; userId: number }): Promise<MemberRow[]> {
  if (!(await findMapping(db, own.mappingId, own.userId))) throw new AppError('mapping.not-found');
  return await listMembers(db, own.mappingId);
}

/**
 * Lets the account with this contact in, whoever it is and whether or not there is one: nothing is told of that. Throws
 * mapping.not-found, share.not-possible, member.contact-invalid, member.exists, member.limit-reached.
 */
export async function addMember(
  { db, phoneRegions }: MemberDeps,
  own: { mappingId: number; userId: number },
  contactText: string,
): Promise<MemberRow> {
  const contact = readContact(contactText, phoneRegions);
  return await db.transaction().execute(async (tx) => {
    const mapping = await lockMapping(tx, own.mappingId, own.userId);
    if (mapping === undefined) throw new AppError('mapping.not-found');
    assertTakesCookies(mapping);
    const isFull = (await listMembers(tx, mapping.id)).length >= MAX_MEMBERS;
    if (isFull) throw new AppError('member.limit-reached');
    const member = await insertMember(tx, { mappingId: mapping.id, contact });
    if (member === undefined) throw new AppError('member.exists');
    return member;
  });
}

/** Ends at once what the member was let in for. Throws member.not-found. */
export async function removeMember(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const member = await findMappingOfMember(tx, { id: own.id, ownerId: own.userId });
    // Who is just being let in holds the mapping: their proof is ended with the others, or never made.
    const mapping = member && (await lockMapping(tx, member.mappingId, own.userId));
    if (mapping === undefined) throw new AppError('member.not-found');
    // Before the member goes, and with it what says whose proofs they were.
    await markGroundsRevoked(tx, { memberId: own.id });
    if (!(await deleteMember(tx, own.id))) throw new AppError('member.not-found');
    await announceAccessChange(tx, { deviceId: mapping.deviceId, userId: own.userId });
  });
}
