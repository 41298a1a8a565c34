import { MAX_MAPPINGS_PER_DEVICE, type Device, type DeviceState, type PublicRouterInfo } from '@tongtu/contract';
import { canonicalAddress } from '@tongtu/base';
import type { FastifyInstance } from 'fastify';
import { callerLeft } from '../../http/caller-left.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../../http/session.ts';
import { pageLinks } from '../../http/page-links.ts';
import { agentUpgrade } from '../agent-downloads/index.ts';
import { formatHours, mappingReply, type PublicPlace, type ReadUsage } from '../mappings/index.ts';
import { type Allowance, bandwidthOf } from '../plans/index.ts';
import { LastDayUsage } from '../usage/index.ts';
import { changeDevice } from './change-device.ts';
import { checkConnection, type CheckConnectionDeps } from './connection-check/check-connection.ts';
import type { DeviceRow } from './device-store.ts';
import { describeDomain, type DomainState } from './describe-domain.ts';
import { deviceStateOf } from './presence/device-state.ts';
import { getOwnDevice } from './find-own-device.ts';
import { listDevices, withMappings, type DeviceWithMappings } from './list-devices.ts';
import { registerManyDevicesRoutes } from './many-devices/many-devices-routes.ts';
import { removeDevice } from './remove-device.ts';

type DeviceRoutesDeps = CheckConnectionDeps &
  PublicPlace & {
    /** For devices without a limit of their own; null means unlimited. */
    defaultBandwidthBps: number | null;
    /** Of the agent that this server hands out. */
    version: string;
  };

/** The calls under `/api/user/routers/`, and both `router_info` calls. */
export function registerDeviceRoutes(app: FastifyInstance, deps: DeviceRoutesDeps): void {
  const reply = async (device: DeviceWithMappings['device']): Promise<Device> => {
    const [found] = await withMappings(deps.db, [device]);
    return deviceReply({ device, mappings: found?.mappings ?? [] }, deps);
  };

  const usage = new LastDayUsage();
  const readUsage: ReadUsage = async (db, mappingIds) => await usage.list(db, mappingIds);
  mount(app, 'GET /api/user/routers/', { login: 'required' }, async ({ query, session }) => {
    const { count, devices } = await listDevices(deps.db, session.userId, { ...query, readUsage });
    const results = devices.map((device) => deviceReply(device, deps));
    return { count, ...pageLinks('/api/user/routers/', query, count), results };
  });
  registerManyDevicesRoutes(app, deps);
  mount(app, 'PATCH /api/user/routers/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    return await reply(await changeDevice(deps.db, { ...callerOf(session), id: params.id }, body));
  });
  mount(app, 'DELETE /api/user/routers/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeDevice(deps.db, { ...callerOf(session), id: params.id });
    return { ok: true as const };
  });
  mount(
    app,
    'POST /api/user/routers/{id}/check_domain_connection/',
    { login: 'required' },
    async ({ params, body, session, req, reply }) =>
      await checkConnection(deps, {
        userId: session.userId,
        deviceId: params.id,
        mappingId: body.record,
        address: canonicalAddress(req.ip),
        signal: callerLeft(reply),
      }),
  );
  mount(app, 'GET /custom/router_info/', { login: 'required' }, async ({ query, session }) => {
    const key = query.uid === undefined ? { domain: query.domain ?? '' } : { uid: query.uid };
    return await reply(await getOwnDevice(deps.db, session.userId, key));
  });
  mount(app, 'GET /api/router_info/', { login: 'optional' }, async ({ query }) => {
    return domainReply(await describeDomain(deps.db, query.domain, Date.now()));
  });
}

/** The public state of an address in the API's form. */
export function domainReply({ host, state, since, offlineReason, times }: DomainState): PublicRouterInfo {
  return {
    domain: host,
    state,
    since: since?.toISOString() ?? null,
    offline_reason: offlineReason,
    opens_at: state === 'not_open_yet' ? (times?.opensAt?.toISOString() ?? null) : null,
    closes_at: state === 'closed' ? (times?.closesAt?.toISOString() ?? null) : null,
    hours: state === 'outside_hours' && times ? formatHours(times) : null,
  };
}

function deviceReply({ device, mappings }: DeviceWithMappings, deps: DeviceRoutesDeps): Device {
  const { state, since, offlineReason } = deviceStateOf(device);
  return {
    id: device.id,
    uid: device.uid,
    name: device.name,
    pinned: device.pinned,
    group: device.groupName,
    online: state === 'online',
    state: shownState(device, state),
    state_since: since?.toISOString() ?? null,
    suspended: device.isSuspended,
    offline_reason: offlineReason,
    public_ip: device.publicIp ?? '',
    relays: { connected: device.relayIds.length, running: device.runningRelayCount },
    lossy_line: device.lossyLine && { loss_percent: device.lossyLine.percent, rtt_ms: device.lossyLine.rttMs },
    agent_version: device.agentVersion ?? '',
    agent_upgrade: device.runsFrpc ? null : agentUpgrade(device.agentVersion ?? '', deps.version),
    program: programOf(device),
    platform: device.platform ?? '',
    server: { id: device.serverId, name: device.serverName, suffix: device.suffix },
    allow_list: device.allowList,
    bandwidth_bps: bandwidthOf(device, deps.defaultBandwidthBps),
    mapping_limit: device.allowance?.mappingLimit ?? MAX_MAPPINGS_PER_DEVICE,
    alerts_enabled: device.alertsEnabled,
    plan: planReply(device.allowance),
    mappings: mappings.map((mapping) => mappingReply(mapping, deps)),
    created_at: device.createdAt.toISOString(),
  };
}

function programOf({ runsFrpc, isManagedByFrpc }: DeviceRow): Device['program'] {
  if (isManagedByFrpc) return 'frpc-toml';
  return runsFrpc ? 'frpc' : 'agent';
}

/** An enabled device without a valid plan refuses its visitors, online or not. */
export function shownState({ enabled, allowance }: DeviceRow, state: DeviceState): DeviceState {
  return enabled && allowance?.isValid === false ? 'plan_expired' : state;
}

export function planReply(allowance: Allowance | null): Device['plan'] {
  if (allowance === null || allowance.planId === null) return null;
  const { planId, productName, priceFen, endsAt, isValid, appKinds } = allowance;
  const times = { ends_at: new Date(endsAt).toISOString(), is_expired: !isValid };
  return { id: planId, name: productName, is_free: priceFen === 0, ...times, app_kinds: appKinds };
}
