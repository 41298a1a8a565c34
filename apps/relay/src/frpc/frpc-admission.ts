import type { DeviceRoutes } from '@tongtu/contract';
import type { WindowBudget } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { RelayLimits } from '../config/relay-limits.ts';
import type { AbuseLog } from '../net/abuse-log.ts';
import type { DeviceAttempts } from '../net/device-attempts.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { DeviceSessions } from '../tunnels/device-sessions.ts';
import { FrpcLink } from './frpc-link.ts';
import type { LoginRefusal } from './refusals.ts';

/** frpc waits 10 s for the answer to its login. */
const ALIVE_TIMEOUT_MS = 3_000;

export type FrpcAdmissionDeps = {
  routes: RouteTable;
  sessions: DeviceSessions;
  limits: RelayLimits;
  windowBudget: WindowBudget;
  /** Runs the work after the end of a connection; see `PacedWork`. */
  defer: (work: () => void) => void;
  /** Before the first routes nobody is known: frpc waits for its answer. */
  whenReady: () => Promise<void>;
  createRunId: () => string;
  monotonicMs: () => number;
  abuse: AbuseLog;
  attempts: DeviceAttempts;
  log: Logger;
};

/**
 * Why a device whose token is right may not log in now. frpc repeats its run id when it reconnects, so another one belongs
 * to another process: if the older one still answers, two devices have the same configuration, and taking turns would
 * cut the visitors of both all the time.
 */
export async function findRefusal(
  { sessions }: FrpcAdmissionDeps,
  device: DeviceRoutes,
  runId: string,
): Promise<LoginRefusal | undefined> {
  if (device.isSuspended === true) return 'suspended';
  const older = sessions.findLink(device.deviceId);
  if (!(older instanceof FrpcLink) || older.runId === runId) return undefined;
  return (await older.isAlive(ALIVE_TIMEOUT_MS)) ? 'alreadyOnline' : undefined;
}
