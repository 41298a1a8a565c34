import { must } from '@tongtu/base';
import { AppError, type LinkMade, mayManage } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';
import { flagsOf } from '../../http/session.ts';
import { isLastAdmin, scheduleDeletionNow } from '../account-data/index.ts';
import { type AuditActor, recordAuditEntry } from '../audit/index.ts';
import { countStaffLink, makePasswordLink } from '../invitations/index.ts';
import { announceDeletedDevices } from '../live/index.ts';
import { endAllSessions } from '../sessions/index.ts';
import { createNamedUser } from '../users/index.ts';
import { findManagedUser, listDeviceIds, type ManagedUserRow, setDisabled } from './managed-user-store.ts';

export type ManageDeps = { db: Db; sealingKey: Buffer; publicUrl: string };

/** Who, from which address, does something to whose account. */
export type Action = { byUserId: number; ip: string; userId: number };

/**
 * Makes an account whose owner chooses the password by the link. Throws `user.name-taken` or `invitation.daily-limit`.
 */
export async function createAccount(
  { db, sealingKey, publicUrl }: ManageDeps,
  { byUserId, ip, username, validHours }: { byUserId: number; ip: string; username: string; validHours: number },
): Promise<{ user: ManagedUserRow; link: LinkMade }> {
  await countStaffLink(db, byUserId);
  return await db.transaction().execute(async (tx) => {
    const account = { sealingKey, username, passwordHash: null, acceptedTermsOfService: false };
    const userId = await createNamedUser(tx, account);
    const link = await makePasswordLink(tx, publicUrl, { userId, staffId: byUserId, validHours });
    const user = must(await findManagedUser(tx, userId), 'the account just made');
    const after = { linkExpiresAt: link.expires_at };
    await audit(tx, { byUserId, ip, userId }, { action: 'user.created', name: username, after });
    return { user, link };
  });
}

/** Throws what `lockTarget` throws, `user.disabled` and `invitation.daily-limit`. */
export async function createPasswordLink(
  { db, publicUrl }: ManageDeps,
  action: Action,
  validHours: number,
): Promise<LinkMade> {
  await countStaffLink(db, action.byUserId);
  return await db.transaction().execute(async (tx) => {
    const { target } = await lockTarget(tx, action);
    if (target.disabledAt !== null) throw new AppError('user.disabled');
    const { userId, byUserId: staffId } = action;
    const link = await makePasswordLink(tx, publicUrl, { userId, staffId, validHours });
    const after = { linkExpiresAt: link.expires_at };
    await audit(tx, action, { action: 'user.password-link-made', name: target.username, after });
    return link;
  });
}

/**
 * Ends the account's logins, and cuts its devices and their visitors: relays are sent them as those of nobody who may use
 * them. Throws what `lockTarget` throws, and `user.last-superuser`.
 */
export async function disableAccount(db: Db, action: Action): Promise<ManagedUserRow> {
  return await db.transaction().execute(async (tx) => {
    const before = await lockForEnd(tx, action);
    await cutOff(tx, action.userId);
    const user = must(await findManagedUser(tx, action.userId), 'the locked account');
    await audit(tx, action, { action: 'user.disabled', ...disabledFacts(before, user) });
    return user;
  });
}

/** Throws what `lockTarget` throws. */
export async function enableAccount(db: Db, action: Action): Promise<ManagedUserRow> {
  return await db.transaction().execute(async (tx) => {
    const { target: before } = await lockTarget(tx, action);
    await setDisabled(tx, action.userId, false);
    await announceDevices(tx, action.userId);
    const user = must(await findManagedUser(tx, action.userId), 'the locked account');
    await audit(tx, action, { action: 'user.enabled', ...disabledFacts(before, user) });
    return user;
  });
}

/** For the operator of the machine, who lets somebody in that staff have shut out. To be run in a transaction. */
export async function enableForOperator(tx: Db, userId: number): Promise<void> {
  await setDisabled(tx, userId, false);
  await announceDevices(tx, userId);
}

/** Cuts the account off at once; the next run deletes it. Throws what `lockTarget` throws, and `user.last-superuser`. */
export async function deleteAccountNow(db: Db, action: Action): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const target = await lockForEnd(tx, action);
    await scheduleDeletionNow(tx, action.userId);
    await cutOff(tx, action.userId);
    const { username: name, deviceCount, mappingCount } = target;
    await audit(tx, action, { action: 'user.deleted', name, before: { deviceCount, mappingCount } });
  });
}

async function cutOff(tx: Db, userId: number): Promise<void> {
  await endAllSessions(tx, userId);
  // A device that is being enrolled is announced below, or is refused because it waits and finds the account disabled.
  await lockUserForUpdate(tx, userId);
  await setDisabled(tx, userId, true);
  await announceDevices(tx, userId);
}

async function announceDevices(tx: Db, userId: number): Promise<void> {
  // Its own pages are closed, so only relays are notified.
  await announceDeletedDevices(tx, await listDeviceIds(tx, userId));
}

async function lockForEnd(tx: Db, action: Action): Promise<ManagedUserRow> {
  const { target, isLastSuperuser } = await lockTarget(tx, action);
  if (isLastSuperuser) throw new AppError('user.last-superuser');
  return target;
}

type Facts = { before?: Record<string, unknown>; after?: Record<string, unknown> };

async function audit(
  tx: Db,
  { byUserId, ip, userId }: Action,
  fact: Facts & { action: string; name: string },
): Promise<void> {
  const actor: AuditActor = { userId: byUserId, ip };
  const { action, name, ...facts } = fact;
  await recordAuditEntry(tx, actor, { action, object: { type: 'user', id: userId, name }, ...facts });
}

function disabledFacts(before: ManagedUserRow, after: ManagedUserRow): Facts & { name: string } {
  const factsOf = ({ disabledAt }: ManagedUserRow) => ({ disabledAt: disabledAt?.toISOString() ?? null });
  return { name: after.username, before: factsOf(before), after: factsOf(after) };
}

/**
 * The account, locked together with all superusers: of two who end each other at once, one stays. Throws `user.self`,
 * `user.not-found`, `user.superuser`, or `session.forbidden` for staff who have just lost the right.
 */
async function lockTarget(
  tx: Db,
  { byUserId, userId }: Action,
): Promise<{ target: ManagedUserRow; isLastSuperuser: boolean }> {
  if (byUserId === userId) throw new AppError('user.self');
  const isLastSuperuser = await isLastAdmin(tx, userId);
  const actor = await findManagedUser(tx, byUserId);
  if (actor === undefined || actor.disabledAt !== null || !(actor.isStaff || actor.isSuperuser))
    throw new AppError('session.forbidden');
  const target = await findManagedUser(tx, userId);
  if (target === undefined) throw new AppError('user.not-found');
  if (!mayManage(flagsOf(actor), flagsOf(target))) throw new AppError('user.superuser');
  return { target, isLastSuperuser };
}
