import type { AlertChannel, AlertSettings } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { findOfflineAfterMinutes, listChannels, setOfflineAfterMinutes, type ChannelRow } from './channel-store.ts';
import { addChannel, changeChannel, removeChannel, type ChannelDeps } from './channels.ts';

/** The calls under `/api/user/alerts/`. */
export function registerAlertRoutes(app: FastifyInstance, deps: ChannelDeps): void {
  const { db } = deps;
  mount(app, 'GET /api/user/alerts/', { login: 'required' }, async ({ session }) => settingsOf(db, session.userId));
  mount(app, 'PATCH /api/user/alerts/', { login: 'required' }, async ({ body, session }) => {
    await setOfflineAfterMinutes(db, session.userId, body.offline_after_minutes);
    return await settingsOf(db, session.userId);
  });
  mount(app, 'POST /api/user/alerts/channels/', { login: 'required' }, async ({ body, session }) =>
    channelReply(await addChannel(deps, session.userId, body)),
  );
  mount(app, 'PATCH /api/user/alerts/channels/{id}/', { login: 'required' }, async ({ params, body, session }) =>
    channelReply(await changeChannel(deps, { id: params.id, userId: session.userId }, body)),
  );
  mount(app, 'DELETE /api/user/alerts/channels/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeChannel(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

async function settingsOf(db: Db, userId: number): Promise<AlertSettings> {
  const channels = await listChannels(db, userId);
  return {
    offline_after_minutes: await findOfflineAfterMinutes(db, userId),
    channels: channels.map(channelReply),
  };
}

function channelReply(row: ChannelRow): AlertChannel {
  const { lastFailedAt, lastFailure } = row;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    hint: row.hint,
    has_secret: row.hasSecret,
    events: row.events,
    enabled: row.enabled,
    last_sent_at: row.lastSentAt?.toISOString() ?? null,
    last_failure: lastFailedAt && lastFailure && { at: lastFailedAt.toISOString(), why: lastFailure },
  };
}
