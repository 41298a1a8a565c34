import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { mappingDomain } from '../mappings/index.ts';

type NewInvitation = {
  tokenHash: Buffer;
  purpose: 'join' | 'password';
  userId?: number;
  memberId?: number;
  /** Null where the account's owner asked for it. */
  invitedBy: number | null;
  email?: string;
  note?: string;
};
export type InvitationRow = { id: number; email: string; expiresAt: Date };

/** Of one member there is one at a time: a later one takes the place of an earlier one. */
export async function insertInvitation(db: Db, invitation: NewInvitation, validHours: number): Promise<InvitationRow> {
  const times = { createdAt: sql<Date>`now()`, expiresAt: sql<Date>`now() + make_interval(hours => ${validHours})` };
  const { tokenHash, invitedBy } = invitation;
  return await db
    .insertInto('invitation')
    .values({ ...invitation, ...times })
    .onConflict((conflict) =>
      conflict.column('memberId').doUpdateSet({ tokenHash, invitedBy, expiresAt: times.expiresAt }),
    )
    .returning(['id', 'email', 'expiresAt'])
    .executeTakeFirstOrThrow();
}

/** Of staff, to people without an account; the newest first. */
export async function listInvitations(
  db: Db,
  limit: number,
): Promise<(InvitationRow & { note: string; createdAt: Date; inviter: string })[]> {
  return await db
    .selectFrom('invitation')
    .innerJoin('userAccount', 'userAccount.id', 'invitation.invitedBy')
    .where('purpose', '=', 'join')
    .where('memberId', 'is', null)
    .where('invitation.expiresAt', '>', sql<Date>`now()`)
    .orderBy('invitation.id', 'desc')
    .limit(limit)
    .select(['invitation.id', 'invitation.email', 'note', 'invitation.createdAt', 'invitation.expiresAt'])
    .select('userAccount.username as inviter')
    .execute();
}

/** Returns it as it was; undefined when staff made no such invitation, or it was used. */
export async function deleteInvitation(db: Db, id: number): Promise<(InvitationRow & { note: string }) | undefined> {
  return await db
    .deleteFrom('invitation')
    .where('id', '=', id)
    .where('purpose', '=', 'join')
    .where('memberId', 'is', null)
    .returning(['id', 'email', 'note', 'expiresAt'])
    .executeTakeFirst();
}

/** Those that the account's owner asked for stay. */
export async function deletePasswordLinksOfStaff(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('invitation').where('userId', '=', userId).where('invitedBy', 'is not', null).execute();
}

export type UsableInvitation = InvitationRow & {
  inviter: string;
  /** What it is for: a new account, a member of a mapping, or the password of an account. */
  subject:
    | { type: 'join' }
    | { type: 'member'; memberId: number; ownerId: number; domain: string }
    | { type: 'password'; userId: number; username: string };
};

/**
 * The invitation of this token as long as it can be used: also those who made it may have lost the right to since, and the
 * account another address.
 */
export async function findUsableInvitation(db: Db, tokenHash: Buffer): Promise<UsableInvitation | undefined> {
  const row = await db
    .selectFrom('invitation')
    .leftJoin('userAccount as inviter', 'inviter.id', 'invitation.invitedBy')
    .leftJoin('userAccount as account', 'account.id', 'invitation.userId')
    .leftJoin('mappingMember', 'mappingMember.id', 'invitation.memberId')
    .leftJoin('mapping', 'mapping.id', 'mappingMember.mappingId')
    .leftJoin('device', 'device.id', 'mapping.deviceId')
    .leftJoin('server', 'server.id', 'mapping.serverId')
    .where('tokenHash', '=', tokenHash)
    .where('invitation.expiresAt', '>', sql<Date>`now()`)
    .where(
      sql<boolean>`account.disabled_at is null and inviter.disabled_at is null and case
        when invitation.invited_by is null then lower(account.email) = lower(invitation.email)
        when member_id is not null then device.user_id = invitation.invited_by
        when account.is_superuser then inviter.is_superuser
        else (inviter.is_staff or inviter.is_superuser) end`,
    )
    .select(['invitation.id', 'invitation.email', 'invitation.expiresAt', 'invitation.userId', 'memberId'])
    .select(['inviter.username as inviter', 'account.username', 'device.userId as ownerId'])
    .select(['mapping.prefix', 'mapping.customDomain', 'mapping.port', 'server.suffix'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, email, expiresAt } = row;
  return { id, email, expiresAt, inviter: row.inviter ?? '', subject: subjectOf(row) };
}

type SubjectColumns = {
  userId: number | null;
  memberId: number | null;
  ownerId: number | null;
  username: string | null;
  prefix: string | null;
  customDomain: string | null;
  suffix: string | null;
};

function subjectOf(row: SubjectColumns): UsableInvitation['subject'] {
  const { userId, memberId, ownerId, prefix, customDomain } = row;
  if (userId !== null) return { type: 'password', userId, username: row.username ?? '' };
  if (memberId === null || ownerId === null) return { type: 'join' };
  const domain = mappingDomain({ prefix, customDomain, suffix: row.suffix ?? '' });
  return { type: 'member', memberId, ownerId, domain };
}

/** Uses it up. One statement: of two that come with one token, one goes on. */
export async function claimInvitation(tx: Db, { id, tokenHash }: { id: number; tokenHash: Buffer }): Promise<boolean> {
  const row = await tx
    .deleteFrom('invitation')
    .where('id', '=', id)
    .where('tokenHash', '=', tokenHash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteExpiredInvitations(db: Db): Promise<void> {
  await db
    .deleteFrom('invitation')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}

/** The account that has proven this address and may log in. */
export async function findAccountByEmail(
  db: Db,
  email: string,
): Promise<{ id: number; username: string; email: string } | undefined> {
  return await db
    .selectFrom('userAccount')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('disabledAt', 'is', null)
    .select(['id', 'username', 'email'])
    .executeTakeFirst();
}
