import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockTickets } from '../../db/lock-tickets.ts';
import { announceAccessChange, announceMembers } from '../live/index.ts';
import { getOwnMapping, findOwnMappingForChange, getOwnMappingForChange } from '../mappings/index.ts';
import { markGroundsRevoked } from '../verifications/index.ts';
import { assertTakesCookies } from './assert-takes-cookies.ts';
import { deleteMembers, findMappingOfMember, insertMember, type ListedMember, listMembers } from './member-store.ts';
import { findMappingOfMembership, listAccountsOf, listMembershipIds } from './membership-store.ts';
import { readContact } from './read-contact.ts';

export type MemberDeps = {
  db: Db;
  /** Country calling codes, the one of numbers without a code first. */
  phoneRegions: readonly string[];
};

const MAX_MEMBERS = 100;

/** Throws mapping.not-found. */
export async function listMembersOfMapping(
  db: Db,
  own: { mappingId: number; userId: number },
): Promise<ListedMember[]> {
  const { id } = await getOwnMapping(db, own);
  return await listMembers(db, id);
}

/**
 * Lets the account with this contact in, whoever it is and whether or not there is one: nothing is told of that. Throws
 * mapping.not-found, share.not-possible, member.contact-invalid, member.exists, member.limit-reached.
 */
export async function addMember(
  { db, phoneRegions }: MemberDeps,
  own: { mappingId: number; userId: number },
  contactText: string,
): Promise<ListedMember> {
  const contact = readContact(contactText, phoneRegions);
  return await db.transaction().execute(async (tx) => {
    const mapping = await getOwnMappingForChange(tx, own);
    assertTakesCookies(mapping);
    const isFull = (await listMembers(tx, mapping.id)).length >= MAX_MEMBERS;
    if (isFull) throw new AppError('member.limit-reached');
    const member = await insertMember(tx, { mappingId: mapping.id, contact });
    if (member === undefined) throw new AppError('member.exists');
    await announceMembers(tx, own.userId, await listAccountsOf(tx, [contact]));
    return { ...member, account: null };
  });
}

/** Ends at once what the member was let in for. Throws member.not-found. */
export async function removeMember(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { mappingId } = (await findMappingOfMember(tx, { id: own.id, ownerId: own.userId })) ?? notFound();
    // Who is just being let in holds the mapping: their proof is ended with the others, or never made.
    const { deviceId } = (await findOwnMappingForChange(tx, { mappingId, userId: own.userId })) ?? notFound();
    await endMembers(tx, { deviceId, ownerId: own.userId }, [own.id]);
  });
}

/**
 * The user is no member of the mapping any more, by whatever contact: ends at once what they were let in for as one.
 * Throws member.not-found.
 */
export async function leaveMapping(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { mappingId, ownerId } = (await findMappingOfMembership(tx, own)) ?? notFound();
    const { deviceId } = (await findOwnMappingForChange(tx, { mappingId, userId: ownerId })) ?? notFound();
    // Looked at again, now that nobody else removes any.
    const ids = await listMembershipIds(tx, { mappingId, userId: own.userId });
    await endMembers(tx, { deviceId, ownerId }, ids);
  });
}

function notFound(): never {
  throw new AppError('member.not-found');
}

/** Of one mapping, which must be locked. Throws member.not-found when there is none of them. */
async function endMembers(
  tx: Db,
  { deviceId, ownerId }: { deviceId: number; ownerId: number },
  memberIds: readonly number[],
): Promise<void> {
  await lockTickets(tx, { memberIds });
  // Before the members go, and with them what says whose proofs they were.
  await markGroundsRevoked(tx, { memberIds });
  const members = await deleteMembers(tx, memberIds);
  if (members.length === 0) notFound();
  await announceAccessChange(tx, { deviceId, userId: ownerId });
  const accounts = await listAccountsOf(
    tx,
    members.map(({ contact }) => contact),
  );
  const joined = members.flatMap(({ userId }) => userId ?? []);
  await announceMembers(tx, ownerId, [...new Set([...accounts, ...joined])]);
}
