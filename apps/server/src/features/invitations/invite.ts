import { AppError, type InvitationCreate, type LinkMade } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { countAgainst } from '../../http/limits/rate-limit.ts';
import { type AuditActor, recordAuditEntry } from '../audit/index.ts';
import type { Mailer } from '../mail/index.ts';
import { assertOwnersMayInvite } from '../registration/index.ts';
import { findMemberForInvitation, keepMember } from '../sharing/index.ts';
import { invitationMail } from './link-mails.ts';
import {
  deletePasswordLinksOfStaff,
  insertInvitation,
  deleteInvitation,
  type InvitationRow,
} from './invitation-store.ts';
import { createInvitationToken, invitationUrl } from './invitation-token.ts';

export type InviteDeps = { db: Db; publicUrl: string; mailer: Mailer | undefined };

const DAY_SECONDS = 86_400;
const STAFF_LINKS_A_DAY = 200;
const OWNER_LINKS_A_DAY = 20;
const MAILS_TO_ADDRESS_A_DAY = 5;
const MEMBER_LINK_HOURS = 168;

/**
 * Lets one person make an account. With an address the link goes there alone, so that who uses it has proven the address.
 * Throws `invitation.daily-limit` or `mail.unavailable`.
 */
export async function invite(
  deps: InviteDeps,
  byUser: { id: number; username: string; ip: string },
  input: InvitationCreate,
) {
  const { db, publicUrl, mailer } = deps;
  const { email = '', note, valid_hours: validHours } = input;
  if (email !== '' && !mailer) throw new AppError('mail.unavailable');
  await countStaffLink(db, byUser.id);
  if (email !== '') {
    const toAddress = { name: 'invitations to, daily', key: email.toLowerCase(), max: MAILS_TO_ADDRESS_A_DAY };
    await countAgainst(db, { ...toAddress, windowSeconds: DAY_SECONDS }, 'invitation.daily-limit');
  }
  const token = createInvitationToken();
  const invitation = { tokenHash: hashSecret(token), purpose: 'join', invitedBy: byUser.id, email, note } as const;
  const actor = { userId: byUser.id, ip: byUser.ip };
  const row = await db.transaction().execute(async (tx) => {
    const made = await insertInvitation(tx, invitation, validHours);
    const object = { type: 'invitation', id: made.id, name: note || email };
    const after = { note, email, expiresAt: made.expiresAt };
    await recordAuditEntry(tx, actor, { action: 'invitation.created', object, after });
    return made;
  });
  const url = invitationUrl(publicUrl, token);
  if (email === '' || !mailer) return linkReply(row, url);
  try {
    await mailer.send(invitationMail({ to: email, url, inviter: byUser.username, validHours }));
  } catch (error) {
    await revokeInvitation(db, 'service', row.id);
    throw error;
  }
  return linkReply(row, '');
}

/** Throws `invitation.not-found`. */
export async function revokeInvitation(db: Db, actor: AuditActor, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const former = await deleteInvitation(tx, id);
    if (former === undefined) throw new AppError('invitation.not-found');
    const { note, email, expiresAt } = former;
    const object = { type: 'invitation', id, name: note || email };
    await recordAuditEntry(tx, actor, { action: 'invitation.revoked', object, before: { note, email, expiresAt } });
  });
}

/**
 * A link for somebody who is a member of one's own mapping and has not joined; an earlier one is worth nothing any more.
 * Throws `member.not-found`, `invitation.needless`, `registration.closed` or `invitation.daily-limit`.
 */
export async function inviteMember(
  { db, publicUrl }: InviteDeps,
  { memberId, ownerId }: { memberId: number; ownerId: number },
): Promise<LinkMade> {
  const member = await findMemberForInvitation(db, { id: memberId, ownerId });
  if (member === undefined) throw new AppError('member.not-found');
  if (member.hasJoined) throw new AppError('invitation.needless');
  await assertOwnersMayInvite(db);
  const daily = { name: 'member invitations, daily', key: String(ownerId), max: OWNER_LINKS_A_DAY };
  await countAgainst(db, { ...daily, windowSeconds: DAY_SECONDS }, 'invitation.daily-limit');
  const token = createInvitationToken();
  const invitation = { tokenHash: hashSecret(token), purpose: 'join', memberId, invitedBy: ownerId } as const;
  const row = await db.transaction().execute(async (tx) => {
    if (!(await keepMember(tx, memberId))) throw new AppError('member.not-found');
    return await insertInvitation(tx, invitation, MEMBER_LINK_HOURS);
  });
  return linkReply(row, invitationUrl(publicUrl, token));
}

/** Counted before the transaction that makes the link. Throws `invitation.daily-limit`. */
export async function countStaffLink(db: Db, staffId: number): Promise<void> {
  const daily = { name: 'staff links, daily', key: String(staffId), max: STAFF_LINKS_A_DAY };
  await countAgainst(db, { ...daily, windowSeconds: DAY_SECONDS }, 'invitation.daily-limit');
}

/** A link with which the account's owner chooses a password; earlier ones of staff are worth nothing any more. */
export async function makePasswordLink(
  tx: Db,
  publicUrl: string,
  link: { userId: number; staffId: number; validHours: number },
): Promise<LinkMade> {
  const { userId, staffId, validHours } = link;
  const token = createInvitationToken();
  await deletePasswordLinksOfStaff(tx, userId);
  const invitation = { tokenHash: hashSecret(token), purpose: 'password', userId, invitedBy: staffId } as const;
  return linkReply(await insertInvitation(tx, invitation, validHours), invitationUrl(publicUrl, token));
}

function linkReply({ id, email, expiresAt }: InvitationRow, url: string): LinkMade {
  return { id, url, email, expires_at: expiresAt.toISOString() };
}
