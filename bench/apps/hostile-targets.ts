import { fork } from 'node:child_process';
import { once } from 'node:events';
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

  const lines: Line[] = [{ name: 'longest gap, quiet', unit: 'ms', target: '—', values: [await longestGap(innocent)] }];
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
    const gap = await longestGap(innocent).catch(() => Number.POSITIVE_INFINITY);
    clearInterval(watch);
    endings.forEach((end) => end());
    for (const { id } of await openSessions(hostile))
      await hostile.call('DELETE', `/api/user/cloud_app_sessions/${id}/`);
    lines.push({ name: `longest gap, ${attack.name}`, unit: 'ms', target: '≤ 100', values: [gap] });
    lines.push({ name: `peak memory, ${attack.name}`, unit: 'MB', target: '≤ 600', values: [peak / 1024 / 1024] });
    console.error(attack.name, gap, Math.round(peak / 1024 / 1024));
    if ((await findGatewayPid(bench.product.child.pid)) !== pid)
      throw new Error(`${attack.name} has ended the gateway`);
    await sleep(1_000);
  }
  return lines;
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

/** The longest time from a key to its echo. */
async function longestGap({ socket }: Terminal): Promise<number> {
  let longest = 0;
  const until = performance.now() + MEASURED_MS;
  while (performance.now() < until) {
    const sentMs = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    const onMessage = (_data: Buffer, isBinary: boolean): void => void (isBinary && resolve());
    socket.on('message', onMessage).send(Buffer.from('k'));
    const hasEchoed = await Promise.race([promise.then(() => true), sleep(15_000, false)]);
    socket.off('message', onMessage);
    if (!hasEchoed) throw new Error('the innocent terminal has ended');
    longest = Math.max(longest, performance.now() - sentMs);
    await sleep(TYPES_EVERY_MS);
  }
  return longest;
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
