import type { AppFailure } from '@tongtu/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { Database } from '../../../db/schema.ts';
import { isSameServer } from '../cloud-app-store.ts';
import { isDeviceEnabled } from '../../devices/index.ts';
import { lacksPlanForApp } from '../../plans/index.ts';
import type { SessionUsers } from '../sessions/app-session-store.ts';

/** What the gateway has to know of a session. */
export type GatewaySessionRow = Pick<
  Selectable<Database['cloudApp']>,
  'kind' | 'targetHost' | 'targetPort' | 'options' | 'secretsSealed' | 'hostKey'
> & { appId: number; ip: string; accountId: number; ownerId: number };

export type StoredUsage = { sessionId: number; bytesIn: number; bytesOut: number };

/**
 * Of a query on `app_session` with `cloud_app` and `device` joined to the left: why the session must not go on. Null if it
 * may. This is the only place that decides it.
 */
function endReason(): RawBuilder<AppFailure | null> {
  return sql<AppFailure | null>`case
    when app_session.ended_at is not null then app_session.end_reason
    when cloud_app.id is null or not cloud_app.enabled or not ${isDeviceEnabled()} then 'right-ended'
    when not exists (
      select from session join user_account on user_account.id = session.user_id
      where session.id = app_session.login_session_id and session.user_id = app_session.user_id
        and session.expires_at > now() and user_account.disabled_at is null) then 'right-ended'
    when device.user_id <> app_session.user_id and not exists (
      select from cloud_app_member
      where cloud_app_member.app_id = app_session.app_id and cloud_app_member.user_id = app_session.user_id
        and accepted_at is not null)
      then 'right-ended'
    when ${lacksPlanForApp()} then 'plan-ended'
    when cloud_app.version <> app_session.app_version then 'changed'
  end`;
}

/** Undefined for an unknown session, and for another token. */
export async function findGatewaySession(
  db: Db,
  { id, tokenHash }: { id: number; tokenHash: Buffer },
): Promise<{ reason: AppFailure } | { reason: null; session: GatewaySessionRow } | undefined> {
  const row = await db
    .selectFrom('appSession')
    .leftJoin('cloudApp', 'cloudApp.id', 'appSession.appId')
    .leftJoin('device', 'device.id', 'cloudApp.deviceId')
    .where('appSession.id', '=', id)
    .where('tokenHash', '=', tokenHash)
    .select(['appSession.ip', endReason().as('reason')])
    .select([
      'cloudApp.id as appId',
      'cloudApp.kind',
      'targetHost',
      'targetPort',
      'options',
      'secretsSealed',
      'hostKey',
    ])
    .select(['appSession.userId as accountId', 'device.userId as ownerId'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { reason, ...session } = row;
  // A session may go on only if its app exists, so nothing of it is null.
  return reason === null ? { reason, session: session as GatewaySessionRow } : { reason };
}

export type EndedSession = { id: number; reason: AppFailure };

/**
 * Finds those of the sessions that must not go on, and marks them ended, in one statement. The others are marked as seen.
 * Also returns the users of those that had not ended before.
 */
export async function endForbiddenSessions(
  db: Db,
  ids: readonly number[],
): Promise<{ ended: EndedSession[]; users: SessionUsers[] }> {
  const { rows } = await sql<EndedSession & { ownerId: number | null; userId: number | null }>`
    with decided as materialized (
      select asked.id, case when app_session.id is null then 'right-ended' else ${endReason()} end as reason
      from unnest(${ids}::integer[]) as asked (id)
      left join app_session on app_session.id = asked.id
      left join cloud_app on cloud_app.id = app_session.app_id
      left join device on device.id = cloud_app.device_id
    ), ended as (
      update app_session set ended_at = now(), end_reason = decided.reason from decided
      where app_session.id = decided.id and decided.reason is not null and app_session.ended_at is null
      returning app_session.id, owner_id, user_id
    ), seen as (
      update app_session set seen_at = now() from decided
      where app_session.id = decided.id and decided.reason is null and app_session.ended_at is null
        and app_session.seen_at < now() - interval '10 seconds'
    )
    select decided.id, decided.reason, ended.owner_id, ended.user_id
    from decided left join ended on ended.id = decided.id where decided.reason is not null`.execute(db);
  return {
    ended: rows.map(({ id, reason }) => ({ id, reason })),
    users: rows.flatMap(({ ownerId, userId }) => (ownerId === null ? [] : [{ ownerId, userId }])),
  };
}

/** Adds the bytes to their sessions. Those of unknown sessions are ignored. */
export async function addAppUsage(db: Db, usage: readonly StoredUsage[]): Promise<void> {
  const ids = usage.map(({ sessionId }) => sessionId);
  const bytesIn = usage.map((entry) => entry.bytesIn);
  const bytesOut = usage.map((entry) => entry.bytesOut);
  await sql`
    update app_session set bytes_in = app_session.bytes_in + added.bytes_in,
      bytes_out = app_session.bytes_out + added.bytes_out
    from unnest(${ids}::integer[], ${bytesIn}::bigint[], ${bytesOut}::bigint[]) as added (id, bytes_in, bytes_out)
    where app_session.id = added.id`.execute(db);
}

/**
 * Stores the host key of the session's app, unless the app has one. Only its owner decides for everybody. A session that
 * has ended, or that began before the app was changed, may have seen another target. SSH and SFTP apps of the same device
 * and target show the same key, so those without one get it too, except where only they ask for the second factor.
 * Returns the owner.
 */
export async function storeHostKey(
  db: Db,
  { sessionId, fingerprint }: { sessionId: number; fingerprint: string },
): Promise<{ ownerId: number } | undefined> {
  const { rows } = await sql<{ ownerId: number }>`
    update cloud_app set host_key = ${fingerprint}
    from app_session join cloud_app as seen on seen.id = app_session.app_id
    where app_session.id = ${sessionId} and app_session.user_id = app_session.owner_id and app_session.ended_at is null
      and app_session.app_version = seen.version and seen.host_key is null and cloud_app.host_key is null
      and (cloud_app.id = seen.id or (${isSameServer('cloud_app', 'seen')}
        and (seen.needs_second_factor or not cloud_app.needs_second_factor)))
    returning app_session.owner_id`.execute(db);
  return rows[0];
}
