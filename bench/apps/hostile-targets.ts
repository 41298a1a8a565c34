import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '@tongtu/base';
import type { CloudAppKind } from '@tongtu/contract';
import WebSocket from 'ws';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { createPerson } from '../../e2e/support/person.ts';
import { enrolDevice } from '../../e2e/support/product/agent.ts';
import { findGatewayPid, residentBytes } from '../../e2e/support/product/processes.ts';
import type { HostilePorts } from '../support/hostile-process.ts';
import type { AppsBench, BenchSession } from '../support/open-apps-bench.ts';
import type { Line } from '../support/report.ts';

const SESSIONS = 12;
const MEASURED_MS = 6_000;
const TYPES_EVERY_MS = 10;
/** An account opens 60 sessions a minute. */
const OPENS_AGAIN_MS = 61_000;

const noEcho: Gap = { gapMs: Number.POSITIVE_INFINITY, ranMs: 0, waitedMs: 0 };

type Attack = { name: keyof HostilePorts; kind: CloudAppKind; begin: (session: BenchSession, path: string) => Ending };
type Ending = () => void;

const attacks: Attack[] = [
  { name: 'webdav-name', kind: 'webdav', begin: listAgainAndAgain },
  { name: 'webdav-entries', kind: 'webdav', begin: listAgainAndAgain },
  { name: 'webdav-pieces', kind: 'webdav', begin: listAgainAndAgain },
  { name: 'sftp', kind: 'sftp', begin: listAgainAndAgain },
  { name: 'smb', kind: 'smb', begin: (session) => listAgainAndAgain(session, '/share') },
  { name: 'aria2-arrays', kind: 'aria2', begin: watchDownloads },
  { name: 'aria2-pieces', kind: 'aria2', begin: watchDownloads },
  { name: 'ssh', kind: 'ssh', begin: (session) => openTerminal(session).end },
  { name: 'telnet', kind: 'telnet', begin: (session) => openTerminal(session).end },
  { name: 'vnc', kind: 'vnc', begin: openScreen },
];

/**
 * How long an innocent terminal is silent at most, first alone and then while one other account has a dozen sessions with
 * hostile targets, one kind after the other. Fails when the gateway ends.
 */
export async function measureHostileTargets(bench: AppsBench): Promise<Line[]> {
  await using parts = new AsyncDisposableStack();
  const servers = fork(path.resolve(import.meta.dirname, '../support/hostile-process.ts'), { stdio: 'inherit' });
  parts.defer(() => void servers.kill());
  const [ports] = (await once(servers, 'message')) as [HostilePorts];

  const hostile = new ApiClient(bench.product);
  await createPerson(bench.product, { account: 'mallory' });
  const { token } = await hostile.logIn('mallory');
  const { agent, device } = await enrolDevice(bench.product, hostile, { token, name: 'mallory' });
  parts.use(agent.child);

  const app = await bench.createApp({ kind: 'telnet', name: 'innocent', port: ports.echo });
  const innocent = openTerminal(await bench.openSession(app));
  parts.defer(innocent.end);
  await innocent.connected;
  const pid = must(await findGatewayPid(bench.product.child.pid), 'a gateway process');

  const lines: Line[] = gapLines('quiet', await longestGap(innocent, pid), '—');
  for (const [index, attack] of attacks.entries()) {
    const hostileApp = await bench.createApp(
      { kind: attack.kind, name: attack.name, port: ports[attack.name], router: device.id, ...optionsFor(attack.kind) },
      hostile,
    );
    const sessions: BenchSession[] = [];
    if (index % 4 === 0 && index > 0) await sleep(OPENS_AGAIN_MS);
    for (let count = 0; count < SESSIONS; count++) sessions.push(await bench.openSession(hostileApp, hostile));
    const endings = sessions.map((session) => attack.begin(session, '/'));
    let peak = 0;
    const watch = setInterval(
      () =>
        void residentBytes(pid).then(
          (bytes) => (peak = Math.max(peak, bytes)),
          () => {},
        ),
      100,
    );
    const gap = await longestGap(innocent, pid).catch(() => noEcho);
    clearInterval(watch);
    endings.forEach((end) => end());
    for (const { id } of await openSessions(hostile))
      await hostile.call('DELETE', `/api/user/cloud_app_sessions/${id}/`);
    lines.push(...gapLines(attack.name, gap, '≤ 100'));
    lines.push({ name: `peak memory, ${attack.name}`, unit: 'MB', target: '≤ 600', values: [peak / 1024 / 1024] });
    console.error(attack.name, gap, Math.round(peak / 1024 / 1024));
    if ((await findGatewayPid(bench.product.child.pid)) !== pid)
      throw new Error(`${attack.name} has ended the gateway`);
    await sleep(1_000);
  }
  return lines;
}

/** What is left of a gap was spent elsewhere: in the relay, the device, the target. */
function gapLines(name: string, { gapMs, ranMs, waitedMs }: Gap, target: string): Line[] {
  return [
    { name: `longest gap, ${name}`, unit: 'ms', target, values: [gapMs] },
    { name: `  in it the gateway's main thread ran, ${name}`, unit: 'ms', target: '—', values: [ranMs] },
    { name: `  in it that waited for a processor, ${name}`, unit: 'ms', target: '—', values: [waitedMs] },
  ];
}

function optionsFor(kind: CloudAppKind): object {
  if (kind === 'sftp' || kind === 'ssh') return { options: { username: 'u' }, secrets: { password: 'p' } };
  if (kind === 'smb') return { options: { username: 'guest' } };
  return {};
}

async function openSessions(client: ApiClient): Promise<{ id: number }[]> {
  const { json } = await client.call('GET', '/api/user/cloud_app_sessions/?limit=100&offset=0');
  return (json as { results: { id: number; ended_at: string | null }[] }).results.filter(
    ({ ended_at }) => ended_at === null,
  );
}

type Terminal = { socket: WebSocket; connected: Promise<void>; end: Ending };

function openTerminal({ url, headers }: BenchSession): Terminal {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}terminal`, { headers });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {}); // a hostile target may let nobody in
  socket.once('open', () => socket.send(JSON.stringify({ type: 'start', columns: 80, rows: 24 })));
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return socket.send(JSON.stringify({ type: 'drawn', bytes: data.length }));
    if (data.includes('"host_key"')) socket.send(JSON.stringify({ type: 'trust_host_key', trusted: true }));
    if (data.includes('"connected"')) resolve();
    if (data.includes('"failed"')) reject(new Error(data.toString()));
  });
  socket.once('error', reject).once('close', () => reject(new Error('closed')));
  return { socket, connected: promise, end: () => socket.terminate() };
}

type Gap = { gapMs: number } & Processor;

/** The longest time from a key to its echo, and what the gateway's main thread did in it. */
async function longestGap({ socket }: Terminal, gateway: number): Promise<Gap> {
  let longest: Gap = { gapMs: 0, ranMs: 0, waitedMs: 0 };
  const until = performance.now() + MEASURED_MS;
  while (performance.now() < until) {
    const [sentMs, before] = [performance.now(), await processorOf(gateway)];
    const { promise, resolve } = Promise.withResolvers<void>();
    const onMessage = (_data: Buffer, isBinary: boolean): void => void (isBinary && resolve());
    socket.on('message', onMessage).send(Buffer.from('k'));
    const hasEchoed = await Promise.race([promise.then(() => true), sleep(15_000, false)]);
    socket.off('message', onMessage);
    if (!hasEchoed) throw new Error('the innocent terminal has ended');
    const gapMs = performance.now() - sentMs;
    const { ranMs, waitedMs } = await processorOf(gateway);
    if (gapMs > longest.gapMs) longest = { gapMs, ranMs: ranMs - before.ranMs, waitedMs: waitedMs - before.waitedMs };
    await sleep(TYPES_EVERY_MS);
  }
  return longest;
}

type Processor = { ranMs: number; waitedMs: number };

/** Of the main thread of a process: how long it has run, and how long it was ready and had no processor (Linux). */
async function processorOf(pid: number): Promise<Processor> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8');
  const [ran = 0, waited = 0] = text.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e6);
  return { ranMs: ran, waitedMs: waited };
}

function listAgainAndAgain({ url, headers }: BenchSession, folder: string): Ending {
  const stop = new AbortController();
  const { signal } = stop;
  const list = async (): Promise<void> => {
    const seen = new Map<string, number>();
    while (!signal.aborted) {
      const reply = await fetch(`${url}files/list?path=${encodeURIComponent(folder)}`, { headers, signal });
      const { fingerprint, code = '' } = reply.ok
        ? (await reply.arrayBuffer(), {} as { fingerprint?: string; code?: string })
        : ((await reply.json()) as { fingerprint?: string; code?: string });
      const outcome = `${reply.status} ${code}`;
      if (!seen.has(outcome)) console.error('  ', outcome);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      if (fingerprint === undefined) continue;
      await fetch(`${url}files/connect`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ trust_host_key: fingerprint }),
        signal,
      });
    }
  };
  list().catch((error: unknown) => signal.aborted || console.error('  ', String(error)));
  return () => stop.abort();
}

function watchDownloads({ url, headers }: BenchSession): Ending {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}downloads/watch`, { headers });
  socket.on('error', () => {}).once('open', () => socket.send(JSON.stringify({ type: 'watch', details: null })));
  return () => socket.terminate();
}

/** A page that reads nothing of its screen. */
function openScreen({ url, headers }: BenchSession): Ending {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}screen`, { headers });
  socket.on('error', () => {}).once('open', () => socket.pause());
  return () => socket.terminate();
}
