import { denialOf, type DeviceRoutes } from '@tongtu/contract';
import { type FrpMessageOf, isLoginKey } from '@tongtu/frp';
import type { ConnectionOrigin } from '@tongtu/tunnel';
import type { Grant } from '../access/judge-access.ts';
import type { TryLimit } from '../access/try-limit.ts';
import type { RouteTable } from '../routes/route-table.ts';
import { isSameOwner, type RouteEntry } from '../routes/route-entry.ts';
import type { DeviceSessions } from '../tunnels/device-sessions.ts';
import { GrantEndedError, type UpstreamPool, type UpstreamStream } from '../upstream/upstream-stream.ts';
import type { OpenVisit } from '../visit-log/open-visit.ts';
import type { VisitLog } from '../visit-log/visit-log.ts';
import { FrpcLink } from './frpc-link.ts';
import type { SecretProxy } from './frpc-proxies.ts';
import { visitRefusals } from './refusals.ts';

export type SecretVisitsDeps = {
  routes: RouteTable;
  sessions: DeviceSessions;
  visitLog: VisitLog;
  wrongKeys: TryLimit;
  wallClockMs: () => number;
};

/** The frpc that visits: of which device, with which `user`, and from where. */
export type SecretVisitor = {
  device: DeviceRoutes;
  user: string;
  address: string;
  origin: ConnectionOrigin | undefined;
};

export type OpenedVisit = {
  secret: string;
  pool: UpstreamPool;
  stream: UpstreamStream;
  record: OpenVisit | undefined;
};

/** `tt-0123456789` or `tt-0123456789.office`, and the name of a proxy, which may have dots as well. */
const NAMES = [/^([^.]+\.[^.]+)\.(.+)$/su, /^([^.]+)\.(.+)$/su];

/**
 * Opens a stream to a stcp proxy for the visitor of another frpc of the same account, or says why not, for its log. The key
 * of the proxy takes the place of a visitor's verification; all else that closes a mapping counts.
 */
export function openSecretVisit(
  deps: SecretVisitsDeps,
  visitor: SecretVisitor,
  message: FrpMessageOf<'NewVisitorConn'>,
): OpenedVisit | string {
  const { wrongKeys, routes, sessions, visitLog, wallClockMs } = deps;
  const { device, user, address, origin } = visitor;
  if (wrongKeys.isExhausted(device.deviceId, address)) return visitRefusals.tooManyKeys;
  const found = findProxy(deps, device, message.proxy_name);
  if (found === undefined) return visitRefusals.unknown;
  const { proxy, deviceId } = found;
  if (!isLoginKey(message.sign_key, { token: proxy.key, timestamp: message.timestamp })) {
    wrongKeys.note(device.deviceId, address);
    return visitRefusals.wrongKey;
  }
  if (proxy.users.length > 0 && !proxy.users.includes(user)) return visitRefusals.user(user);
  const entry = entryOf(routes.findDevice(deviceId), proxy.mappingId);
  const pool = entry && sessions.findPool(entry);
  if (entry === undefined || pool === undefined) return visitRefusals.unknown;
  const grant: Grant = { address, proof: undefined, isOwner: true, programName: user };
  const denial = denialOf(entry, grant, wallClockMs());
  const record = visitLog.begin(entry, denial === undefined ? grant : { address }, 'TCP');
  if (denial !== undefined) {
    record?.end({ outcome: 'denied', reason: denial });
    return visitRefusals.closed(denial);
  }
  try {
    return { secret: proxy.key, pool, stream: pool.take('never', grant, { origin }), record };
  } catch (error) {
    // Only the pool throws here.
    record?.end({ outcome: 'failed', reason: error instanceof GrantEndedError ? 'revoked' : 'device-busy' });
    return visitRefusals.busy;
  }
}

/** A stcp proxy of a device of the same owner that is connected here. */
function findProxy(
  { routes, sessions }: SecretVisitsDeps,
  visitor: DeviceRoutes,
  fullName: string,
): { proxy: SecretProxy; deviceId: number } | undefined {
  for (const pattern of NAMES) {
    const [, user = '', name = ''] = pattern.exec(fullName) ?? [];
    const device = routes.findFrpcDevice(user);
    if (device?.frpcLogin === undefined || visitor.frpcLogin === undefined || !isSameOwner(device, visitor)) continue;
    const link = sessions.findLink(device.deviceId);
    const proxy = link instanceof FrpcLink ? link.findSecret(name) : undefined;
    if (proxy !== undefined) return { proxy, deviceId: device.deviceId };
  }
  return undefined;
}

function entryOf(device: DeviceRoutes | undefined, mappingId: number): RouteEntry | undefined {
  const route = device?.routes.find((candidate) => candidate.mappingId === mappingId);
  return device && route && { route, owner: { device } };
}
