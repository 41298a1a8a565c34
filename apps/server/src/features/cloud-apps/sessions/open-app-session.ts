import { randomBytes } from 'node:crypto';
import { must } from '@tongtu/base';
import { AppError, MAX_OPEN_APP_SESSIONS } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockUserForKeyShare, lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { hashSecret } from '../../../hash-secret.ts';
import type { Session } from '../../../http/session.ts';
import { announceAppSessions } from '../../live/index.ts';
import { assertMayUseApp } from '../../plans/index.ts';
import { type CloudAppRow, findCloudApp, lockAppForShare } from '../cloud-app-store.ts';
import { assertMayOpen } from './assert-may-open.ts';
import { countOpenSessions, insertAppSession, resumeAppSession } from './app-session-store.ts';

export type OpenAppSessionDeps = { db: Db; hasSecondFactor: (userId: number) => Promise<boolean> };
export type AppCaller = { session: Session; ip: string; userAgent: string };

export type OpenedSession = { id: number; token: string; app: CloudAppRow; isResumed: boolean };
/** Of the sessions that the login has left: this one, or the last; `fresh` for none of them. */
export type SessionChoice = { resume?: number | undefined; isFresh: boolean };

const TOKEN_BYTES = 32;

/**
 * Creates a session of an app for its owner or a member, or goes on with a terminal that the same login has left. The
 * token is returned once; its hash is stored. Throws
 * cloud-app.not-found, cloud-app.no-sessions, cloud-app.too-many-sessions, and what assertMayOpen and assertMayUseApp throw.
 */
export async function openAppSession(
  { db, hasSecondFactor }: OpenAppSessionDeps,
  { session, ip, userAgent }: AppCaller,
  appId: number,
  { resume, isFresh }: SessionChoice = { isFresh: false },
): Promise<OpenedSession> {
  const { userId } = session;
  const loginSessionId = must(session.sessionId, 'a login: the call has no scope that a program could have');
  const ownerId = (await findCloudApp(db, appId, userId))?.ownerId ?? notFound();
  const hasFactor = await hasSecondFactor(userId);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return await db.transaction().execute(async (tx) => {
    // Accounts before the app, in the same order as the deletion of an account. One account's sessions are counted in turn.
    await lockUserForNoKeyUpdate(tx, userId);
    if (!(await lockUserForKeyShare(tx, ownerId))) notFound();
    // Read after the lock: the member may have been removed while this waited.
    if (!(await lockAppForShare(tx, appId))) notFound();
    const app = (await findCloudApp(tx, appId, userId)) ?? notFound();
    assertMayOpen(app, session, { hasFactor });
    await assertMayUseApp(tx, app.deviceId, app.kind);
    if (app.kind === 'wol') throw new AppError('cloud-app.no-sessions');
    const tokenHash = hashSecret(token);
    const left = { appId, userId, loginSessionId };
    const resumed = isFresh ? undefined : await resumeAppSession(tx, left, { id: resume, tokenHash });
    if (resumed !== undefined) {
      await announceAppSessions(tx, [ownerId, userId]);
      return { id: resumed, token, app, isResumed: true };
    }
    if ((await countOpenSessions(tx, userId)) >= MAX_OPEN_APP_SESSIONS)
      throw new AppError('cloud-app.too-many-sessions');
    const id = await insertAppSession(tx, {
      ...{ appId, appName: app.name, kind: app.kind, deviceName: app.deviceName, ownerId, userId },
      ...{ loginSessionId, tokenHash, ip, userAgent },
    });
    await announceAppSessions(tx, [ownerId, userId]);
    return { id, token, app, isResumed: false };
  });
}

function notFound(): never {
  throw new AppError('cloud-app.not-found');
}
