import { AppError, type InvitationFacts } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import { hashSecret } from '../../hash-secret.ts';
import { announceMembers } from '../live/index.ts';
import { assertOwnersMayInvite } from '../registration/index.ts';
import { joinAsMember, keepMember } from '../sharing/index.ts';
import {
  checkNewPassword,
  createNamedUser,
  hashPassword,
  resetPassword,
  setEmail,
  queueHashing,
} from '../users/index.ts';
import { claimInvitation, findUsableInvitation, type UsableInvitation } from './invitation-store.ts';

export type UseDeps = { db: Db; sealingKey: Buffer };

/** What the link's page shows before anybody uses it. Throws `invitation.not-found`. */
export async function describeInvitation(db: Db, token: string): Promise<InvitationFacts> {
  const { subject, inviter, expiresAt } = await getInvitation(db, token);
  return {
    purpose: subject.type === 'password' ? 'password' : 'join',
    username: subject.type === 'password' ? subject.username : '',
    invited_by: inviter,
    address: subject.type === 'member' ? subject.domain : '',
    can_join: await mayJoin(db, subject),
    expires_at: expiresAt.toISOString(),
  };
}

/**
 * Makes the account of somebody who was invited; returns its id. Throws `invitation.not-found`, `user.name-taken`,
 * `registration.closed`, or `request.invalid` for a password that is easily guessed: then the link counts on.
 */
export async function joinByInvitation(
  { db, sealingKey }: UseDeps,
  { token, username, password, aff }: { token: string; username: string; password: string; aff?: string | undefined },
): Promise<number> {
  const found = await getInvitation(db, token);
  if (found.subject.type === 'password') throw new AppError('invitation.not-found');
  if (found.subject.type === 'member') await assertOwnersMayInvite(db);
  checkNewPassword({ username, email: found.email, phoneNumber: null }, password);
  const passwordHash = await queueHashing(`invitation:${found.id}`, async () => await hashPassword(password));
  return await db.transaction().execute(async (tx) => {
    const { email, subject } = await claim(tx, token, found.id);
    const user = { sealingKey, username, passwordHash, aff, acceptedTermsOfService: true };
    const userId = await createNamedUser(tx, user);
    // The link went there and nowhere else.
    if (email !== '') await takeEmail(tx, userId, email);
    if (subject.type === 'member') await becomeMember(tx, subject, userId);
    return userId;
  });
}

/** Makes an account that there is the member. Throws `invitation.not-found` or `invitation.own`. */
export async function acceptInvitation(db: Db, userId: number, token: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { id, subject } = await getInvitation(tx, token);
    if (subject.type !== 'member') throw new AppError('invitation.not-found');
    if (subject.ownerId === userId) throw new AppError('invitation.own');
    await claim(tx, token, id);
    await becomeMember(tx, subject, userId);
  });
}

/**
 * Sets the password of the link's account and ends its other logins; returns its name. Throws `invitation.not-found`, or
 * `request.invalid` for a password that is easily guessed: then the link counts on.
 */
export async function choosePassword(
  db: Db,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { subject } = await getInvitation(db, token);
  if (subject.type !== 'password') throw new AppError('invitation.not-found');
  const tokenHash = hashSecret(token);
  // Used up together with the change, which ends every link of the account: of two at once, one sets its password.
  return await resetPassword(db, subject.userId, password, async (tx) => {
    const current = await findUsableInvitation(tx, tokenHash);
    if (current === undefined || !(await claimInvitation(tx, { id: current.id, tokenHash })))
      throw new AppError('invitation.not-found');
  });
}

async function getInvitation(db: Db, token: string): Promise<UsableInvitation> {
  const found = await findUsableInvitation(db, hashSecret(token));
  if (found === undefined) throw new AppError('invitation.not-found');
  return found;
}

/** Looks it up again: it may have been revoked since. */
async function claim(tx: Db, token: string, id: number): Promise<UsableInvitation> {
  const found = await getInvitation(tx, token);
  // The member comes first: its removal also ends its invitation.
  if (found.subject.type === 'member') await keepMember(tx, found.subject.memberId);
  if (!(await claimInvitation(tx, { id, tokenHash: hashSecret(token) }))) throw new AppError('invitation.not-found');
  return found;
}

async function mayJoin(db: Db, subject: UsableInvitation['subject']): Promise<boolean> {
  if (subject.type !== 'member') return true;
  return await assertOwnersMayInvite(db).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
}

/** An address that another account has proven meanwhile stays there. */
async function takeEmail(tx: Db, userId: number, email: string): Promise<void> {
  try {
    await inSavepoint(tx, async () => await setEmail(tx, userId, email));
  } catch (error) {
    if (!isUniqueViolation(error, 'user_account_email_key')) throw error;
  }
}

type MemberSubject = Extract<UsableInvitation['subject'], { type: 'member' }>;

async function becomeMember(tx: Db, { memberId, ownerId }: MemberSubject, userId: number): Promise<void> {
  if (!(await joinAsMember(tx, { id: memberId, userId }))) throw new AppError('invitation.not-found');
  await announceMembers(tx, ownerId, [userId]);
}
