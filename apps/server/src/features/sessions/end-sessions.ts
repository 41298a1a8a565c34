import type { Db } from '../../db/driver.ts';
import { lockTickets } from '../../db/lock-tickets.ts';
import { lockUser } from '../../db/lock-user.ts';
import { notify } from '../../db/notify.ts';
import { deleteLoginSteps } from '../login-steps/index.ts';
import { deleteTrusted, deleteTrustedOfSession, endSecondStepTrust } from '../trusted-browsers/index.ts';
import { moveProofs, revokeProofsOfLogins } from '../verifications/index.ts';
import { deleteLockedSessions, lockSessions, type Ending, type LockedSession } from './session-end-store.ts';

// All of these are to be run in a transaction.

/**
 * Ends every session of the account but one, and every login that waits for its second step; with them what any login but
 * that one has opened. No other browser is known again, and none skips the second step.
 */
export async function endOtherSessions(tx: Db, userId: number, keptIdHash: Buffer): Promise<void> {
  await endLoginsUnderWay(tx, userId);
  await endSessions(tx, { userId, butIdHash: keptIdHash }, { forgottenOf: userId });
  await deleteTrusted(tx, userId, keptIdHash);
  await endSecondStepTrust(tx, userId);
}

/**
 * Ends every session of the account, and every login that waits for its second step, with all that they have opened. No
 * browser is known again.
 */
export async function endAllSessions(tx: Db, userId: number): Promise<void> {
  await endLoginsUnderWay(tx, userId);
  await endSessions(tx, { userId }, { forgottenOf: userId });
  await deleteTrusted(tx, userId);
}

/**
 * Ends one session of the account, with all that it has opened; its browser is not known again. Undefined when the account
 * has none with this id.
 */
export async function endSessionById(
  tx: Db,
  session: { id: number; userId: number },
): Promise<{ idHash: Buffer } | undefined> {
  const [ended] = await endSessions(tx, session);
  if (ended) await deleteTrustedOfSession(tx, ended.id);
  return ended;
}

/** Ends those that were seen longest ago, but `kept`, with all that they have opened. */
export async function endOldestSessions(tx: Db, { userId, kept }: { userId: number; kept: number }): Promise<void> {
  await endSessions(tx, { userId, butNewest: kept });
}

/** Logs out. Who let a network pass by hand meant programs there, which go on when the page is closed. */
export async function logSessionsOut(tx: Db, idHashes: readonly Buffer[]): Promise<void> {
  await endSessions(tx, { idHashes }, { keepsAddresses: true });
}

/** Logs out whoever was logged in in this browser. If that is the same account, what it opened goes on by its new session. */
export async function replaceSessions(
  tx: Db,
  idHashes: readonly Buffer[],
  heir: { id: number; userId: number },
): Promise<void> {
  const sessions = await lockSessions(tx, { idHashes });
  if (sessions.length === 0) return;
  const own = sessions.filter((session) => session.userId === heir.userId);
  await moveProofs(
    tx,
    own.map((session) => session.id),
    heir.id,
  );
  await logSessionsOut(tx, idHashes);
}

/**
 * Logs the account out in every browser but one, before it gets more rights: an id from before, which somebody else may know,
 * must not gain them. The account has been locked, so that no login is half-way.
 */
export async function logOthersOut(tx: Db, userId: number, keptIdHash?: Buffer): Promise<void> {
  const ending = keptIdHash === undefined ? { userId } : { userId, butIdHash: keptIdHash };
  await endSessions(tx, ending, { keepsAddresses: true });
}

async function endLoginsUnderWay(tx: Db, userId: number): Promise<void> {
  // Logins hold the account until they are there: one that is just coming is waited for, and its session is found then.
  await lockUser(tx, userId);
  await deleteLoginSteps(tx, userId);
}

/** The one way a session ends by somebody's will: its event streams close, and what it opened ends with it. */
async function endSessions(
  tx: Db,
  ending: Ending,
  proofs: { keepsAddresses?: true; forgottenOf?: number } = {},
): Promise<LockedSession[]> {
  const sessions = await lockSessions(tx, ending);
  if (sessions.length === 0 && proofs.forgottenOf === undefined) return [];
  const sessionIds = sessions.map((session) => session.id);
  await lockTickets(tx, { sessionIds, userId: proofs.forgottenOf });
  await revokeProofsOfLogins(tx, { sessionIds, ...proofs });
  await deleteLockedSessions(tx, sessions);
  if (sessions.length > 0) await notify(tx, 'session_ended', {});
  return sessions;
}
