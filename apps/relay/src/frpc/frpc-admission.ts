import { AppError, type DeviceRoutes, FRPC_LOGIN_PREFIX } from '@tongtu/contract';
import { type FrpMessageOf, isLoginKey, type Wire } from '@tongtu/frp';
import type { Logger } from 'pino';
import { isPassing } from '../control/passing-refusal.ts';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { DeviceAttempts } from '../net/device-attempts.ts';
import type { DeviceMuxDeps } from '../tunnels/open-device-mux.ts';
import type { LoginTimes } from './login-times.ts';
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
    logIn: (login: {
      user: string;
      key: string;
      timestamp: number;
      wire: Wire;
      hostName: string;
      isAhead?: true;
    }) => Promise<DeviceRoutes>;
    loginTimes: LoginTimes;
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

/** `isFresh`: nobody has used this login before. Otherwise its frpc has to prove its token, which wire v2 makes possible. */
export type Admission = { device: DeviceRoutes; token: string; isFresh: boolean };
type Judged = { refusal: Refusal; deviceId?: number } | { refusal?: undefined; admission: Admission };

/** Whose device a frpc that logs in is, or why it may not. */
export async function judgeLogin(deps: FrpcAdmissionDeps, login: Login, wire: Wire): Promise<Judged> {
  const { routes } = deps;
  const known = routes.findFrpcDevice(login.user);
  const device = known ?? (await findByServer(deps, login, wire));
  if (device instanceof AppError) return { refusal: refusalFor(device) };
  if (device === 'clock') return { refusal: refusalOf('clock') };
  const token = device?.frpcToken;
  if (device === undefined || token === undefined)
    return { refusal: refusalOf(routes.hasPendingDevices ? 'starting' : 'unknown') };
  const { deviceId } = device;
  if (!isLoginKey(login.privilege_key, { token, timestamp: login.timestamp })) {
    const isOwn = device.frpcLogin !== undefined;
    return { deviceId, refusal: isOwn ? refusalByServer(new AppError('frpc.token-wrong')) : refusalOf('wrongToken') };
  }
  const { timestamp } = login;
  const clock = deps.loginTimes.clockOf(timestamp);
  const isFresh = clock === 'right';
  // Before all other reasons: a login that is refused must not be of use later.
  const isStillGood = clock === 'ahead' && !(await deps.loginTimes.useUp({ deviceId, timestamp, wire }));
  if (isStillGood || (!isFresh && wire === 'v1')) return { deviceId, refusal: refusalOf('clock') };
  const error = isFresh && known !== undefined && (await deps.loginTimes.claim({ deviceId, timestamp, wire }, token));
  if (error instanceof AppError) {
    const isSetBack = error.code === 'frpc.login-repeated' && deps.loginTimes.isSetBack({ deviceId, timestamp });
    return { deviceId, refusal: { ...refusalFor(error), ...(isSetBack && { kind: 'frpc_clock' }) } };
  }
  const refusal = await findRefusal(deps, device, login.run_id);
  return refusal === undefined ? { admission: { device, token, isFresh } } : { refusal, deviceId };
}

function refusalFor(error: AppError): Refusal {
  return isPassing(error) ? refusalOf('starting') : refusalByServer(error);
}

/** A frpc with its own frpc.toml whose device is not known here: perhaps there is none yet. */
async function findByServer(
  { routes, logIn, loginTimes }: FrpcAdmissionDeps,
  login: Login,
  wire: Wire,
): Promise<DeviceRoutes | AppError | 'clock' | undefined> {
  const { user, privilege_key: key, timestamp, hostname: hostName } = login;
  if (!user.startsWith(FRPC_LOGIN_PREFIX)) return undefined;
  const clock = loginTimes.clockOf(timestamp);
  if (clock === 'behind') return 'clock';
  try {
    const device = await logIn({ user, key, timestamp, wire, hostName, ...(clock === 'ahead' && { isAhead: true }) });
    loginTimes.noteAccepted({ deviceId: device.deviceId, timestamp });
    // The change may have arrived before, and is then at least as new as this answer.
    if (routes.findDevice(device.deviceId) === undefined) routes.putDevice(device);
    return routes.findDevice(device.deviceId) ?? device;
  } catch (error) {
    return error instanceof AppError ? error : new AppError('server.internal', { cause: error });
  }
}

/**
 * Why a device whose token is right may not log in now. frpc repeats the run id of its last login when it reconnects, and
 * each login gets another one, so one that is not the present session's belongs to another process: if the older one still answers, two devices have the same configuration, and taking turns would
 * cut the visitors of both all the time.
 */
async function findRefusal(
  { sessions }: FrpcAdmissionDeps,
  device: DeviceRoutes,
  runId: string,
): Promise<Refusal | undefined> {
  if (device.isSuspended === true) return refusalOf('suspended');
  const older = sessions.findLink(device.deviceId);
  if (!(older instanceof FrpcLink) || older.runId === runId || !older.isProven) return undefined;
  if (!(await older.isAlive(ALIVE_TIMEOUT_MS))) return undefined;
  return refusalOf(device.frpcLogin === undefined ? 'alreadyOnline' : 'alreadyOnlineToml');
}
