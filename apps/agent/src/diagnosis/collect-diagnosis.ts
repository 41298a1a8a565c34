import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { arch, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import { AGENT_FEATURES, PROTOCOL_VERSION, type TunnelAddress } from '@tongtu/tunnel';
import { connectRelay } from '../dial/connect-relay.ts';
import { formatAddress } from '../dial/tunnel-addresses.ts';
import { readEventHistory, type StoredEvent } from '../events/event-history.ts';
import { withoutSecrets } from '../events/without-secrets.ts';
import { type BbrState, type MeasuredConnection, RelayConnections } from '../line/relay-connections.ts';
import { measureMachine } from '../line/measure-machine.ts';
import { callHttp } from '../net/call-http.ts';
import { reasonOf } from '../net/reason-of.ts';
import { readStateFile } from '../state/state-file.ts';

const TIMEOUT_MS = 8_000;
const MEBIBYTE = 2 ** 20;

/** One thing that was tried. */
export type Attempt = { name: string; ms: number; seen: string } & ({ ok: true } | { ok: false; reason: string });

/** What a person needs to find out why a device is offline. It contains no token, key or password. */
export type Diagnosis = {
  madeAt: string;
  agentVersion: string;
  protocol: number;
  features: readonly string[];
  system: { platform: string; node: string; uptimeSeconds: number; freeMiB: number; totalMiB: number; load: number };
  /** Settings of the environment that lead traffic elsewhere. */
  proxies: Record<string, string>;
  uid: string | null;
  serverUrl: string;
  dns: Attempt[];
  server: Attempt | undefined;
  /** How far this machine's clock is ahead of the server's. Undefined: unknown. */
  clockAheadSeconds: number | undefined;
  relays: Attempt[];
  connections: MeasuredConnection[];
  bbr: BbrState;
  /** Where a missing congestion control is to be switched on. */
  place: Place;
  history: StoredEvent[];
};

export type Place = 'container' | 'openwrt' | 'machine';

type DiagnosisInput = {
  stateDir: string;
  serverUrl: string | undefined;
  version: string;
  env: NodeJS.ProcessEnv;
  /** The address to dial for a relay with this public address; by default the same. */
  reach?: ((address: TunnelAddress) => TunnelAddress) | undefined;
  /** Those of the agent that runs; undefined: it may be another process of this machine. */
  connections?: RelayConnections;
};

/** Tries all that an agent needs, without disturbing one that is running, in little more than TIMEOUT_MS. */
export async function collectDiagnosis(input: DiagnosisInput): Promise<Diagnosis> {
  const state = await readStateFile(input.stateDir);
  const serverUrl = input.serverUrl ?? state?.serverUrl ?? '';
  const primary = state === undefined ? [] : [{ host: state.tunnelHost, port: state.tunnelPort }];
  const relays = state === undefined || state.tunnels.length === 0 ? primary : state.tunnels;
  const hosts = new Set([...(serverUrl === '' ? [] : [hostOf(serverUrl)]), ...relays.map(({ host }) => host)]);
  const ownTries = new RelayConnections({ bbr: true, platform: platform(), mayLoadModule: false });
  const relayPin = state?.relayPin ?? '';
  const [dns, server, tried] = await Promise.all([
    Promise.all([...hosts].map(async (host) => await tryLookup(host))),
    serverUrl === '' ? undefined : tryServer(serverUrl),
    Promise.all(relays.map(async (relay) => await tryRelay(relay, { relayPin, input, ownTries }))),
  ]);
  return {
    madeAt: new Date().toISOString(),
    agentVersion: input.version,
    protocol: PROTOCOL_VERSION,
    features: AGENT_FEATURES,
    system: {
      platform: `${platform()} ${arch()} ${release()}`,
      node: process.version,
      uptimeSeconds: Math.round(uptime()),
      freeMiB: Math.round(freemem() / MEBIBYTE),
      totalMiB: Math.round(totalmem() / MEBIBYTE),
      load: loadavg()[0] ?? 0,
    },
    proxies: proxiesOf(input.env),
    uid: state?.uid ?? null,
    serverUrl: withoutSecrets(serverUrl),
    dns,
    server: server?.attempt,
    clockAheadSeconds: server?.clockAheadSeconds,
    relays: tried,
    connections: await (input.connections ? input.connections.measure() : measureMachine(relays)),
    bbr: (input.connections ?? ownTries).bbr,
    place: placeOf(),
    history: await readEventHistory(input.stateDir),
  };
}

async function tryLookup(host: string): Promise<Attempt> {
  return await attempt(host, async () => (await lookup(host, { all: true })).map(({ address }) => address).join(' '));
}

async function tryRelay(
  relay: TunnelAddress,
  {
    relayPin,
    input: { reach = (address) => address, connections },
    ownTries,
  }: { relayPin: string; input: DiagnosisInput; ownTries: RelayConnections },
): Promise<Attempt> {
  return await attempt(formatAddress(relay), async (signal) => {
    const socket = await connectRelay(
      { ...reach(relay), relayPin, ...(connections ? {} : { connections: ownTries }) },
      { signal },
    );
    await ownTries.settled();
    socket.destroy();
    return 'TLS';
  });
}

function placeOf(): Place {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return 'container';
  return existsSync('/etc/openwrt_release') ? 'openwrt' : 'machine';
}

async function tryServer(serverUrl: string) {
  let clockAheadSeconds: number | undefined;
  const tried = await attempt(withoutSecrets(serverUrl), async (signal) => {
    const url = new URL('/api/agent/bootstrap/', serverUrl);
    const { response, status } = await callHttp(url, { signal, keepsRedirect: true });
    response.destroy();
    const serverMs = Date.parse(response.headers.date ?? '');
    if (!Number.isNaN(serverMs)) clockAheadSeconds = Math.round((Date.now() - serverMs) / 1000);
    if (status < 200 || status > 299) throw new Error(`status_${status}`);
    return `HTTP ${status}`;
  });
  return { attempt: tried, clockAheadSeconds };
}

async function attempt(name: string, run: (signal: AbortSignal) => Promise<string>): Promise<Attempt> {
  const startedAtMs = performance.now();
  const past = () => Math.round(performance.now() - startedAtMs);
  const tooLate = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Node.js 20 has no Promise.withResolvers.
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('timeout')); // before what the abort causes
      tooLate.abort();
    }, TIMEOUT_MS);
  });
  try {
    // A look-up cannot be aborted.
    const seen = await Promise.race([run(tooLate.signal), timeout]);
    return { name, ok: true, ms: past(), seen };
  } catch (error) {
    return { name, ok: false, ms: past(), seen: '', reason: withoutSecrets(reasonOf(error)) };
  } finally {
    clearTimeout(timer);
  }
}

function proxiesOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'node_use_env_proxy'];
  const found = Object.entries(env).filter(([name]) => names.includes(name.toLowerCase()));
  return Object.fromEntries(found.map(([name, value]) => [name, maskedProxy(value ?? '')]));
}

/** Also where the user and the password stand without a scheme before them. */
function maskedProxy(value: string): string {
  return withoutSecrets(value).replace(/^[^/@\s]+@/, '***@');
}

function hostOf(serverUrl: string): string {
  return new URL(serverUrl).hostname.replace(/^\[(.*)\]$/, '$1');
}
