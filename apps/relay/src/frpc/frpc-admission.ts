import { AppError, type DeviceRoutes, FRPC_LOGIN_PREFIX } from '@tongtu/contract';
import { type FrpMessageOf, isLoginKey } from '@tongtu/frp';
import type { Logger } from 'pino';
import { isPassing } from '../control/passing-refusal.ts';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { DeviceAttempts } from '../net/device-attempts.ts';
import type { DeviceMuxDeps } from '../tunnels/open-device-mux.ts';
import { FrpcLink } from './frpc-link.ts';
import { type Refusal, refusalByServer, refusalOf } from './refusals.ts';
import type { SecretVisitsDeps } from './open-secret-visit.ts';
import type { TomlProxiesDeps } from './toml-proxies.ts';

/** frpc waits 10 s for the answer to its login. */
const ALIVE_TIMEOUT_MS = 3_000;

type Apply = TomlProxiesDeps['apply'];

export type FrpcAdmissionDeps = DeviceMuxDeps &
  SecretVisitsDeps & {
    /** Before the first routes nobody is known: frpc waits for its answer. */
    whenReady: () => Promise<void>;
    /** Has the server make a device of a frpc with its own frpc.toml. Throws AppError. */
    logIn: (login: { user: string; key: string; timestamp: number; hostName: string }) => Promise<DeviceRoutes>;
    applyProxy: (request: {
      deviceId: number;
      proxy: Parameters<Apply>[0];
      keptMappingIds: number[];
    }) => ReturnType<Apply>;
    createRunId: () => string;
    /** Where the other relay processes of this machine take agents. */
    peerPorts: readonly number[];
    relayPin: string;
    abuse: AbuseLog;
    attempts: DeviceAttempts;
    log: Logger;
  };

type Login = FrpMessageOf<'Login'>;
type Judged =
  | { refusal: Refusal; deviceId?: number; device?: undefined; token?: undefined }
  | { refusal?: undefined; deviceId?: undefined; device: DeviceRoutes; token: string };

/** Whose device a frpc that logs in is, or why it may not. */
export async function judgeLogin(deps: FrpcAdmissionDeps, login: Login): Promise<Judged> {
  const { routes } = deps;
  const device = routes.findFrpcDevice(login.user) ?? (await findByServer(deps, login));
  if (device instanceof AppError)
    return { refusal: isPassing(device) ? refusalOf('starting') : refusalByServer(device) };
  const token = device?.frpcToken;
  if (device === undefined || token === undefined)
    return { refusal: refusalOf(routes.hasPendingDevices ? 'starting' : 'unknown') };
  const { deviceId } = device;
  if (!isLoginKey(login.privilege_key, { token, timestamp: login.timestamp })) {
    const isOwn = device.frpcLogin !== undefined;
    return { deviceId, refusal: isOwn ? refusalByServer(new AppError('frpc.token-wrong')) : refusalOf('wrongToken') };
  }
  const refusal = await findRefusal(deps, device, login.run_id);
  return refusal === undefined ? { device, token } : { refusal, deviceId };
}

/** A frpc with its own frpc.toml whose device is not known here: perhaps there is none yet. */
async function findByServer(
  { routes, logIn }: FrpcAdmissionDeps,
  login: Login,
): Promise<DeviceRoutes | AppError | undefined> {
  const { user, privilege_key: key, timestamp, hostname: hostName } = login;
  if (!user.startsWith(FRPC_LOGIN_PREFIX)) return undefined;
  try {
    const device = await logIn({ user, key, timestamp, hostName });
    // The change may have arrived before, and is then at least as new as this answer.
    if (routes.findDevice(device.deviceId) === undefined) routes.putDevice(device);
    return routes.findDevice(device.deviceId) ?? device;
  } catch (error) {
    return error instanceof AppError ? error : new AppError('server.internal', { cause: error });
  }
}

/**
 * Why a device whose token is right may not log in now. frpc repeats its run id when it reconnects, so another one belongs
 * to another process: if the older one still answers, two devices have the same configuration, and taking turns would
 * cut the visitors of both all the time.
 */
async function findRefusal(
  { sessions }: FrpcAdmissionDeps,
  device: DeviceRoutes,
  runId: string,
): Promise<Refusal | undefined> {
  if (device.isSuspended === true) return refusalOf('suspended');
  const older = sessions.findLink(device.deviceId);
  if (!(older instanceof FrpcLink) || older.runId === runId) return undefined;
  if (!(await older.isAlive(ALIVE_TIMEOUT_MS))) return undefined;
  return refusalOf(device.frpcLogin === undefined ? 'alreadyOnline' : 'alreadyOnlineToml');
}
