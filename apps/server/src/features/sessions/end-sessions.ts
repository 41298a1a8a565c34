import type { Db } from '../../db/driver.ts';
import { lockTicketsForUpdate } from '../../db/lock-tickets.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { notify } from '../../db/notify.ts';
import { deleteLoginSteps } from '../login-steps/index.ts';
import { deleteTrusted, deleteTrustedOfSession, endSecondStepTrust } from '../trusted-browsers/index.ts';
import { moveProofs, revokeProofsOfLogins } from '../verifications/index.ts';
import {
  deleteLockedSessions,
  findSessionsForUpdate,
  type SessionSelection,
  type LockedSession,
} from './session-end-store.ts';

// All of these functions must run in a transaction.

/**
 * Ends every session of the account except one, every login that waits for its second step, and all verifications from
 * other sessions. All other browsers lose their trust, and none skips the second step.
 */
export async function endOtherSessions(tx: Db, userId: number, keptIdHash: Buffer): Promise<void> {
  await endPendingLogins(tx, userId);
  await endSessions(tx, { userId, exceptIdHash: keptIdHash }, { orphansOf: userId });
  await deleteTrusted(tx, userId, keptIdHash);
  await endSecondStepTrust(tx, userId);
}

/**
 * Ends every session of the account, every login that waits for its second step, and all their verifications. All
 * browsers lose their trust.
 */
export async function endAllSessions(tx: Db, userId: number): Promise<void> {
  await endPendingLogins(tx, userId);
  await endSessions(tx, { userId }, { orphansOf: userId });
  await deleteTrusted(tx, userId);
}

/**
 * Ends one session of the account with its verifications. Its browser loses its trust. Undefined when the account has no
 * session with this id.
 */
export async function endSessionById(
  tx: Db,
  session: { id: number; userId: number },
): Promise<{ idHash: Buffer } | undefined> {
  const [ended] = await endSessions(tx, session);
  if (ended) await deleteTrustedOfSession(tx, ended.id);
  return ended;
}

/** Ends all but the `kept` last seen sessions, with their verifications. */
export async function endOldestSessions(tx: Db, { userId, kept }: { userId: number; kept: number }): Promise<void> {
  await endSessions(tx, { userId, exceptNewest: kept });
}

/** Logs out. Verified addresses stay, because they are for programs, which run on after the browser has logged out. */
export async function logOutSessions(tx: Db, idHashes: readonly Buffer[]): Promise<void> {
  await endSessions(tx, { idHashes }, { keepsAddresses: true });
}

/** Ends the browser's earlier sessions. Verifications of the same account move to the new session. */
export async function replaceSessions(
  tx: Db,
  idHashes: readonly Buffer[],
  successor: { id: number; userId: number },
): Promise<void> {
  const sessions = await findSessionsForUpdate(tx, { idHashes });
  if (sessions.length === 0) return;
  const own = sessions.filter((session) => session.userId === successor.userId);
  await moveProofs(
    tx,
    own.map((session) => session.id),
    successor.id,
  );
  await logOutSessions(tx, idHashes);
}

/**
 * Logs the account out in every browser except one, before it gets more rights: a session id that an attacker knows must
 * not gain them. The caller has locked the account, so that no login is in progress.
 */
export async function logOutOtherSessions(tx: Db, userId: number, keptIdHash?: Buffer): Promise<void> {
  const selection = keptIdHash === undefined ? { userId } : { userId, exceptIdHash: keptIdHash };
  await endSessions(tx, selection, { keepsAddresses: true });
}

async function endPendingLogins(tx: Db, userId: number): Promise<void> {
  // A login locks the account until it commits, so this waits for logins in progress and then finds their sessions.
  await lockUserForNoKeyUpdate(tx, userId);
  await deleteLoginSteps(tx, userId);
}

/** Ends sessions on request, in this one place: revokes their verifications and closes their event streams. */
async function endSessions(
  tx: Db,
  selection: SessionSelection,
  proofs: { keepsAddresses?: true; orphansOf?: number } = {},
): Promise<LockedSession[]> {
  const sessions = await findSessionsForUpdate(tx, selection);
  if (sessions.length === 0 && proofs.orphansOf === undefined) return [];
  const sessionIds = sessions.map((session) => session.id);
  await lockTicketsForUpdate(tx, { sessionIds, userId: proofs.orphansOf });
  await revokeProofsOfLogins(tx, { sessionIds, ...proofs });
  await deleteLockedSessions(tx, sessions);
  if (sessions.length > 0) await notify(tx, 'session_ended', {});
  return sessions;
}
