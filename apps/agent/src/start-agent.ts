import { arch, hostname, networkInterfaces, platform } from 'node:os';
import { performance } from 'node:perf_hooks';
import { createBackoff } from '@tongtu/base';
import type { AgentConfig } from './agent-config.ts';
import { AgentError } from './events/agent-error.ts';
import type { AgentLog } from './events/agent-log.ts';
import { EventHistory } from './events/event-history.ts';
import { reportDiagnosis } from './cli/report-diagnosis.ts';
import { collectDiagnosis } from './diagnosis/collect-diagnosis.ts';
import { createDiagnoser } from './diagnosis/create-diagnoser.ts';
import { ServerUnreachableError } from './server/bootstrap.ts';
import { Discovery } from './discovery/discovery.ts';
import { TunnelSet } from './dial/tunnel-set.ts';
import { RelayConnections } from './line/relay-connections.ts';
import { wait } from './net/wait.ts';
import { Presence } from './presence.ts';
import { requestBinding } from './server/request-binding.ts';
import { type Device, type DeviceInput, openDevice, readKnownState } from './state/device.ts';
import { lockStateFolder } from './state/lock-state-folder.ts';
import type { AgentState } from './state/state-file.ts';
import { createUpgrader } from './upgrade/create-upgrader.ts';
import { createWaker } from './wake/create-waker.ts';

const FIRST_ASK_RETRY_MS = 1000;
const MAX_ASK_RETRY_MS = 20_000;
const MAX_NAME_LENGTH = 40;

/** Why an agent ended. `failed` carries an AgentError for an expected failure, another Error for a bug. */
export type AgentOutcome = { type: 'stopped' } | { type: 'failed'; error: Error };

export type RunningAgent = AsyncDisposable & {
  /** Never rejects. */
  finished: Promise<AgentOutcome>;
  /** Resolves at once while online, else when the device next comes online; rejects once the agent has ended. */
  whenOnline(): Promise<{ uid: string }>;
};

/**
 * Starts an agent on a state folder, enrolling it first where needed, and keeps it connected until disposed.
 * Throws AgentError when the folder cannot be used or the configuration is incomplete. If the server cannot be reached,
 * the agent keeps trying.
 */
export async function startAgent(config: AgentConfig, callersLog: AgentLog): Promise<RunningAgent> {
  const input = { serverUrl: originOf(config.serverUrl), pin: config.pin };
  await readKnownState(config.stateDir, input); // wrong arguments must not leave an empty folder behind
  const lock = await lockStateFolder(config.stateDir);
  let known: AgentState | undefined;
  try {
    known = await readKnownState(config.stateDir, input);
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
  const stopping = new AbortController();
  const presence = new Presence();
  const history = new EventHistory(config.stateDir, () => new Date());
  const log = history.recording(callersLog);
  const finished = run({ config, known, input, log, presence }, stopping.signal)
    .then<AgentOutcome, AgentOutcome>(
      () => ({ type: 'stopped' }),
      (error: unknown) => ({ type: 'failed', error: error instanceof Error ? error : new Error(String(error)) }),
    )
    .then(async (outcome) => {
      presence.end(outcome.type === 'failed' ? outcome.error : new Error('the agent was stopped'));
      await history.flush();
      await lock[Symbol.asyncDispose]();
      return outcome;
    });
  return {
    finished,
    whenOnline: () => presence.whenOnline(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await finished;
    },
  };
}

type RunDeps = {
  config: AgentConfig;
  known: AgentState | undefined;
  input: DeviceInput;
  log: AgentLog;
  presence: Presence;
};

async function run(deps: RunDeps, signal: AbortSignal): Promise<void> {
  const { config, log, presence } = deps;
  const device = await openDeviceWithRetry(deps, signal);
  if (device === undefined) return;
  const monotonicMs = config.monotonicMs ?? (() => performance.now());
  const discovery = new Discovery({ isEnabled: config.discovery ?? true, log, monotonicMs });
  const self = {
    name: (config.name ?? hostname()).slice(0, MAX_NAME_LENGTH),
    agentVersion: config.version,
    platform: `${platform()} ${arch()}`,
    random: config.random ?? Math.random,
  };
  const wake = createWaker({ monotonicMs, networks: networkInterfaces });
  const { restart, stateDir, version } = config;
  const upgrade = restart && createUpgrader({ device, stateDir, version, monotonicMs, restart, log });
  if (upgrade) void device.learnUpgradeKey(signal).catch(() => {}); // the next start tries again
  const { reach, env = {} } = config;
  const connections = new RelayConnections({ bbr: config.bbr ?? true, platform: platform(), mayLoadModule: true });
  const diagnosed = { stateDir, serverUrl: device.serverUrl, version, env, reach, connections };
  const diagnose = createDiagnoser(async () => reportDiagnosis(await collectDiagnosis(diagnosed)));
  const connect = async (token: string | undefined) => {
    if (device.uid === null) log.info({ event: 'enrolling', serverUrl: device.serverUrl }, 'enrolling this device');
    const tunnels = new TunnelSet({
      device,
      log,
      token,
      ...self,
      reach: reach ?? ((address) => address),
      monotonicMs,
      wallClockMs: config.wallClockMs ?? Date.now,
      wake,
      upgrade,
      discovery,
      diagnose,
      connections,
      onOnline: (uid) => presence.setOnline(uid),
      onOffline: () => presence.setOffline(),
    });
    await tunnels.run(signal);
  };
  if (device.uid !== null || config.token !== undefined) return await connect(config.token);
  const request = { ...self, serverUrl: device.serverUrl, publicKey: device.identity.publicKey, log };
  while (!signal.aborted) {
    const token = await requestBinding(request, signal);
    if (token === undefined) return;
    try {
      return await connect(token);
    } catch (error) {
      // The confirmation expired before the relay was reached, as behind a firewall: a new link is needed.
      if (!(error instanceof AgentError && error.code === 'token.invalid' && device.uid === null)) throw error;
      log.warn({ event: 'binding-expired' }, 'the confirmation has expired');
    }
  }
}

/** Retries while the server cannot be reached, and logs each new reason once. Undefined when stopped. */
async function openDeviceWithRetry(deps: RunDeps, signal: AbortSignal): Promise<Device | undefined> {
  const { config, known, input, log } = deps;
  const random = config.random ?? Math.random;
  const backoff = createBackoff({ firstMs: FIRST_ASK_RETRY_MS, maxMs: MAX_ASK_RETRY_MS, random });
  let lastReason: string | undefined;
  while (!signal.aborted) {
    try {
      return await openDevice(config.stateDir, known, input, signal);
    } catch (error) {
      if (!(error instanceof ServerUnreachableError)) throw error;
      if (!signal.aborted && error.message !== lastReason) {
        const serverUrl = input.serverUrl ?? known?.serverUrl ?? '';
        const { message: reason, redirectedTo } = error;
        log.warn({ event: 'server-unreachable', serverUrl, reason, redirectedTo }, 'cannot reach the server');
      }
      lastReason = error.message;
      await wait(Math.max(backoff.nextMs(), error.retryAfterMs), signal);
    }
  }
  return undefined;
}

/** So that a trailing slash does not make another server. */
function originOf(serverUrl: string | undefined): string | undefined {
  return serverUrl === undefined ? undefined : new URL(serverUrl).origin;
}
