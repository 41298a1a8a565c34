import type { AlertChannel, AlertDelivery, AlertSettings } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../../http/session.ts';
import { pageLinks } from '../../http/page-links.ts';
import { describeAlert, unreadableDetails } from './sending/alert-message.ts';
import type { SenderDeps } from './sending/alert-sender.ts';
import { findOfflineAfterMinutes, listChannels, setOfflineAfterMinutes, type ChannelRow } from './channel-store.ts';
import { addChannel, changeChannel, removeChannel } from './channels.ts';
import { countDeliveries, listDeliveries, type ListedDelivery } from './delivery-store.ts';
import { sendTestAlert } from './sending/send-test-alert.ts';

/** The calls under `/api/user/alerts/`. */
export function registerAlertRoutes(app: FastifyInstance, deps: SenderDeps): void {
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
    channelReply(await changeChannel(deps, { ...callerOf(session), id: params.id }, body)),
  );
  mount(app, 'DELETE /api/user/alerts/channels/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeChannel(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
  mount(app, 'POST /api/user/alerts/channels/{id}/test/', { login: 'required' }, async ({ params, session }) =>
    deliveryReply(await sendTestAlert(deps, { id: params.id, userId: session.userId })),
  );
  mount(app, 'GET /api/user/alerts/deliveries/', { login: 'required' }, async ({ query, session }) => {
    const [count, deliveries] = await Promise.all([
      countDeliveries(db, session.userId),
      listDeliveries(db, session.userId, query),
    ]);
    const links = pageLinks('/api/user/alerts/deliveries/', query, count);
    return { count, ...links, results: deliveries.map(deliveryReply) };
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

function deliveryReply(row: ListedDelivery): AlertDelivery {
  return {
    id: row.id,
    channel: { id: row.channelId, kind: row.kind, name: row.name },
    event: row.event,
    text: row.details ? describeAlert(row.details) : unreadableDetails,
    created_at: row.createdAt.toISOString(),
    state: stateOf(row),
    failure: row.failure,
  };
}

function stateOf({ sentAt, failedAt }: ListedDelivery): AlertDelivery['state'] {
  if (sentAt) return 'sent';
  return failedAt ? 'failed' : 'waiting';
}
