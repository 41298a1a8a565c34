import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockTicketsForUpdate } from '../../db/lock-tickets.ts';
import { announceAccessChange, announceMembers, announceMemberships } from '../live/index.ts';
import { getOwnMapping, findOwnMappingForChange, getOwnMappingForChange, type MappingRow } from '../mappings/index.ts';
import { markGroundsRevoked } from '../verifications/index.ts';
import { assertShareable } from './assert-shareable.ts';
import {
  deleteMembers,
  findFormerHolder,
  findMappingOfMember,
  insertMember,
  listEndedMembersForUpdate,
  type ListedMember,
  listMembers,
  lockMemberForNoKeyUpdate,
  saveAccountMember,
} from './member-store.ts';
import { findMappingOfMembership, listAccountsByContact, listMembershipIds, updatePinned } from './membership-store.ts';
import { readContact } from './read-contact.ts';

export type MemberDeps = {
  db: Db;
  /** Country calling codes; the first one is for numbers without a code. */
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
 * Adds the contact as a member. The reply does not reveal whether an account has the contact. Throws mapping.not-found,
 * share.not-possible, member.contact-invalid, member.exists, member.limit-reached.
 */
export async function addMember(
  { db, phoneRegions }: MemberDeps,
  own: { mappingId: number; userId: number },
  contactText: string,
): Promise<ListedMember> {
  const contact = readContact(contactText, phoneRegions);
  return await db.transaction().execute(async (tx) => {
    const mapping = await getOwnMappingForChange(tx, own);
    assertShareable(mapping);
    const isFull = (await listMembers(tx, mapping.id)).length >= MAX_MEMBERS;
    if (isFull) throw new AppError('member.limit-reached');
    const member = await insertMember(tx, { mappingId: mapping.id, contact });
    if (member === undefined) throw new AppError('member.exists');
    await announceMembers(tx, own.userId, await listAccountsByContact(tx, [contact]));
    return { ...member, account: null };
  });
}

/**
 * Adds an account as a member of a mapping, which must be locked. A member that was added when another account had its name
 * is removed, so that nobody takes over what the owner sees as somebody else's proofs. Throws share.not-possible,
 * member.limit-reached.
 */
export async function addAccountAsMember(
  tx: Db,
  { mapping, ownerId }: { mapping: MappingRow; ownerId: number },
  member: { userId: number; account: string; validHours: number | null },
): Promise<void> {
  assertShareable(mapping);
  const former = await findFormerHolder(tx, { ...member, mappingId: mapping.id });
  if (former !== undefined) await removeMembers(tx, { deviceId: mapping.deviceId, ownerId }, [former.id]);
  if ((await listMembers(tx, mapping.id)).length >= MAX_MEMBERS) throw new AppError('member.limit-reached');
  await saveAccountMember(tx, { ...member, mappingId: mapping.id });
  await announceMembers(tx, ownerId, [member.userId]);
}

/** Keeps a member from being removed until the transaction ends. False when it has been removed. */
export async function keepMember(tx: Db, id: number): Promise<boolean> {
  return await lockMemberForNoKeyUpdate(tx, id);
}

/** Removes the member and revokes their verifications. Throws member.not-found. */
export async function removeMember(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { mappingId } = (await findMappingOfMember(tx, { id: own.id, ownerId: own.userId })) ?? notFound();
    // A visitor who is just coming in also locks the mapping, so their proof is revoked here or never inserted.
    const { deviceId } = (await findOwnMappingForChange(tx, { mappingId, userId: own.userId })) ?? notFound();
    await removeMembers(tx, { deviceId, ownerId: own.userId }, [own.id]);
  });
}

/** Deletes members whose time is over, which ended their proofs, too, and those whose account was deleted. */
export async function deleteEndedMembers(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const memberIds = await listEndedMembersForUpdate(tx);
    await lockTicketsForUpdate(tx, { memberIds });
    await deleteMembers(tx, memberIds);
  });
}

/**
 * Ends the user's membership of the mapping by all their contacts, and revokes their verifications as a member. Throws
 * member.not-found.
 */
export async function leaveMapping(db: Db, own: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { mappingId, ownerId } = (await findMappingOfMembership(tx, own)) ?? notFound();
    const { deviceId } = (await findOwnMappingForChange(tx, { mappingId, userId: ownerId })) ?? notFound();
    // Read again under the lock, because other calls may have removed members.
    const ids = await listMembershipIds(tx, { mappingId, userId: own.userId });
    await removeMembers(tx, { deviceId, ownerId }, ids);
  });
}

/** Pins an address that another user shares, for this member alone. Throws member.not-found. */
export async function pinMembership(db: Db, own: { id: number; userId: number }, pinned: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { mappingId } = (await findMappingOfMembership(tx, own)) ?? notFound();
    // An account that is a member twice is shown the mapping once.
    await updatePinned(tx, await listMembershipIds(tx, { mappingId, userId: own.userId }), pinned);
    await announceMemberships(tx, own.userId);
  });
}

function notFound(): never {
  throw new AppError('member.not-found');
}

/** Removes members of one mapping, which must be locked. Throws member.not-found when none of them exists. */
async function removeMembers(
  tx: Db,
  { deviceId, ownerId }: { deviceId: number; ownerId: number },
  memberIds: readonly number[],
): Promise<void> {
  await lockTicketsForUpdate(tx, { memberIds });
  // Before the members are deleted, because the deletion clears the proofs' reference to them.
  await markGroundsRevoked(tx, { memberIds });
  const members = await deleteMembers(tx, memberIds);
  if (members.length === 0) notFound();
  await announceAccessChange(tx, { deviceId, userId: ownerId });
  const contacts = members.map(({ contact }) => contact);
  const joined = members.flatMap(({ userId }) => userId ?? []);
  await announceMembers(tx, ownerId, [...new Set([...(await listAccountsByContact(tx, contacts)), ...joined])]);
}
