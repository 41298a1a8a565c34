import type { CloudApp, CloudAppMember } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../../http/session.ts';
import type { DeviceChange } from '../live/index.ts';
import type { AppMemberRow } from './app-member-store.ts';
import { leaveApp, listMembersOfOwnApp, offerApp, removeAppMember } from './app-members.ts';
import { listAppOffers } from './app-offer-store.ts';
import { acceptAppOffer, declineAppOffer } from './app-offers.ts';
import { type CloudAppRow, listCloudApps } from './cloud-app-store.ts';
import { changeCloudApp, type CloudAppDeps, createCloudApp, removeCloudApp, type SavedApp } from './save-cloud-app.ts';
import { registerAppSessionRoutes } from './sessions/app-session-routes.ts';
import { registerWakeRoutes } from './waking/wake-routes.ts';
import type { DeviceLink } from './waking/wake-by-device.ts';

export type CloudAppRoutesDeps = CloudAppDeps & {
  /** Resolves when a committed change was sent to the relays that are connected to this process. */
  whenSentToRelays: (change: DeviceChange) => Promise<void>;
  devices: DeviceLink;
};

/** The calls under `/api/user/cloud_apps/` and `/api/user/cloud_app_sessions/`. */
export function registerCloudAppRoutes(app: FastifyInstance, deps: CloudAppRoutesDeps): void {
  const { db } = deps;
  // The relays know the target before the answer, because the user opens it next.
  const reply = async ({ app: row, change }: SavedApp, userId: number): Promise<CloudApp> => {
    if (change) await deps.whenSentToRelays(change);
    return cloudAppReply(row, userId);
  };

  mount(app, 'GET /api/user/cloud_apps/', { login: 'required' }, async ({ session: { userId } }) => {
    return (await listCloudApps(db, userId)).map((row) => cloudAppReply(row, userId));
  });
  mount(app, 'POST /api/user/cloud_apps/', { login: 'required' }, async ({ body, session }) => {
    return await reply(await createCloudApp(deps, callerOf(session), body), session.userId);
  });
  mount(app, 'PATCH /api/user/cloud_apps/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    return await reply(await changeCloudApp(deps, { ...callerOf(session), id: params.id }, body), session.userId);
  });
  mount(app, 'DELETE /api/user/cloud_apps/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeCloudApp(db, { ...callerOf(session), id: params.id });
    return { ok: true as const };
  });

  mount(app, 'GET /api/user/cloud_apps/{id}/members/', { login: 'required' }, async ({ params, session }) => {
    return (await listMembersOfOwnApp(db, { id: params.id, userId: session.userId })).map(memberReply);
  });
  mount(app, 'POST /api/user/cloud_apps/{id}/members/', { login: 'required' }, async ({ params, body, session }) => {
    return memberReply(await offerApp(db, { id: params.id, userId: session.userId }, body.account));
  });
  mount(
    app,
    'DELETE /api/user/cloud_apps/{id}/members/{member}/',
    { login: 'required' },
    async ({ params, session }) => {
      await removeAppMember(db, { id: params.id, userId: session.userId }, params.member);
      return { ok: true as const };
    },
  );

  mount(app, 'DELETE /api/user/cloud_apps/{id}/membership/', { login: 'required' }, async ({ params, session }) => {
    await leaveApp(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });

  mount(app, 'GET /api/user/cloud_app_offers/', { login: 'required' }, async ({ session }) => {
    return (await listAppOffers(db, session.userId)).map(({ createdAt, ...offer }) => {
      return { ...offer, created_at: createdAt.toISOString() };
    });
  });
  mount(app, 'POST /api/user/cloud_app_offers/{id}/accept/', { login: 'required' }, async ({ params, session }) => {
    await acceptAppOffer(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
  mount(app, 'DELETE /api/user/cloud_app_offers/{id}/', { login: 'required' }, async ({ params, session }) => {
    await declineAppOffer(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });

  registerAppSessionRoutes(app, { db, cloudAppReply });
  registerWakeRoutes(app, deps);
}

function cloudAppReply(row: CloudAppRow, userId: number): CloudApp {
  const isOwn = row.ownerId === userId;
  return {
    id: row.id,
    router: row.deviceId,
    kind: row.kind,
    name: row.name,
    host: row.targetHost,
    port: row.targetPort,
    options: row.options,
    has_password: row.storedSecrets.includes('password'),
    has_private_key: row.storedSecrets.includes('private_key'),
    has_passphrase: row.storedSecrets.includes('passphrase'),
    host_key: row.hostKey,
    wake_times: [...row.wakeTimes],
    needs_second_factor: row.needsSecondFactor,
    enabled: row.enabled,
    is_own: isOwn,
    owner: row.owner,
    router_name: row.deviceName,
    router_online: row.isDeviceOnline,
    member_count: isOwn ? row.memberCount : 0,
    created_at: row.createdAt.toISOString(),
  };
}

function memberReply({ id, account, createdAt, acceptedAt }: AppMemberRow): CloudAppMember {
  return { id, account, created_at: createdAt.toISOString(), accepted_at: acceptedAt?.toISOString() ?? null };
}
