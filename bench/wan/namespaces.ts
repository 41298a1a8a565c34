import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The server with its relay and the visitors are in one, the device and the services of its LAN in the other. */
export type Namespaces = AsyncDisposable & { server: string; home: string };

/** The ends of the line, as line.c sets them. */
export const serverIp = '10.77.0.1';
const ips = { server: serverIp, home: '10.77.0.2' };

/** What the route of the line says. `own`: CUBIC, but a program may choose another for its connections. */
export type Congestion = 'cubic' | 'bbr' | 'own';
const congestionOfRoute: Record<Congestion, { server: string[]; home: string[] }> = {
  cubic: { server: ['congctl', 'lock', 'cubic'], home: ['congctl', 'lock', 'cubic'] },
  bbr: { server: ['congctl', 'lock', 'bbr'], home: ['congctl', 'lock', 'bbr'] },
  // A connection that is accepted has what its listener has only if the route says nothing.
  own: { server: [], home: ['congctl', 'cubic'] },
};

const PREFIX = 'tongtu-wan';
const ENDS_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** Why this machine cannot have the line; empty if it can. */
export async function whyNoLine(): Promise<string> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root, to make network namespaces';
  const hasTun = await access('/dev/net/tun', constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!hasTun) return 'it needs /dev/net/tun';
  for (const program of ['ip', 'ss', 'sysctl', 'gcc']) {
    const isThere = await run(program, ['--version'])
      .catch(() => run(program, ['-V']))
      .catch(() => undefined);
    if (isThere === undefined) return `it needs ${program} (apt-get install iproute2 procps gcc libc6-dev)`;
  }
  return '';
}

/** Two of this process's own, and at the end without them whatever still runs in them. */
export async function createNamespaces(): Promise<Namespaces> {
  await removeLeftovers();
  const name = (end: string) => `${PREFIX}-${process.pid}-${end}`;
  const namespaces = { server: name('server'), home: name('home') };
  await using parts = new AsyncDisposableStack();
  for (const each of Object.values(namespaces)) {
    await run('ip', ['netns', 'add', each]);
    parts.defer(async () => await removeNamespace(each));
    await run('ip', ['-n', each, 'link', 'set', 'lo', 'up']);
    // Otherwise a connection starts with what an earlier one has found out about the line.
    await run('ip', inNamespace(each, ['sysctl', '-qw', 'net.ipv4.tcp_no_metrics_save=1']));
    await setDefaultCongestion(each);
  }
  const running = parts.move();
  return { ...namespaces, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The arguments of `ip` that run a command there. The process that starts is the command itself. */
export function inNamespace(namespace: string, command: string[]): string[] {
  return ['netns', 'exec', namespace, ...command];
}

/** CUBIC, as homes have it; Reno where the kernel lets no namespace choose CUBIC. Programs look at it. */
async function setDefaultCongestion(namespace: string): Promise<void> {
  const set = async (name: string) =>
    await run('ip', inNamespace(namespace, ['sysctl', '-qw', `net.ipv4.tcp_congestion_control=${name}`]));
  await set('cubic').catch(async () => await set('reno'));
}

/** Sets the congestion control of new connections over the line: by route, which every kernel allows in a namespace. */
export async function setCongestion(namespaces: Omit<Namespaces, symbol>, congestion: Congestion): Promise<void> {
  for (const end of ['server', 'home'] as const) {
    const route = ['10.77.0.0/24', 'dev', 'wan', 'proto', 'kernel', 'scope', 'link', 'src', ips[end]];
    const congctl = congestionOfRoute[congestion][end];
    await run('ip', ['-n', namespaces[end], 'route', 'replace', ...route, ...congctl]);
  }
}

/** The TCP connections of the home over the line, and what controls their congestion: `6 bbr`. */
export async function describeConnections(home: string): Promise<string> {
  const { stdout } = await run('ip', inNamespace(home, ['ss', '-tinHO', 'state', 'established', 'dst', serverIp]));
  const algorithms = [...stdout.matchAll(/ (bbr|cubic|reno) /g)].map(([, algorithm = '']) => algorithm);
  const groups = Map.groupBy(algorithms, (algorithm) => algorithm);
  return [...groups].map(([algorithm, all]) => `${all.length} ${algorithm}`).join(', ');
}

async function removeNamespace(name: string): Promise<void> {
  const endsByMs = performance.now() + ENDS_WITHIN_MS;
  for (let signal: NodeJS.Signals = 'SIGTERM'; ;) {
    const pids = (await run('ip', ['netns', 'pids', name])).stdout.split('\n').filter(Boolean).map(Number);
    if (pids.length === 0) break;
    if (performance.now() > endsByMs) signal = 'SIGKILL';
    for (const pid of pids) sendSignal(pid, signal);
    await pause(LOOK_EVERY_MS);
  }
  await run('ip', ['netns', 'delete', name]);
}

/** Of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  const names = await readdir('/run/netns').catch(() => []); // before the first one there is no such folder
  for (const name of names) {
    const pid = Number(new RegExp(`^${PREFIX}-(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !sendSignal(pid, 0)) await removeNamespace(name);
  }
}

/** Whether the process was there. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
