import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { TargetConnected } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { type FilePeer, startFilePeers } from '../support/file-peers.ts';
import type { AppsBench, BenchSession } from '../support/open-apps-bench.ts';
import type { Line } from '../support/report.ts';

const run = promisify(execFile);

/**
 * Files through console, gateway and tunnel, against the native client through a port of the same tunnel. Neither login
 * counts.
 */
export async function measureFiles(bench: AppsBench): Promise<Line[]> {
  await using files = await startFilePeers(bench.effort.megabytes);
  const lines: Line[] = [];
  for (const peer of files.peers)
    if (bench.effort.kinds.includes(peer.kind)) lines.push(...(await measurePeer(bench, peer, files.large)));
  return lines;
}

async function measurePeer(bench: AppsBench, peer: FilePeer, large: string): Promise<Line[]> {
  const { kind, client, shown } = peer;
  const { megabytes, rounds } = bench.effort;
  const port = await bench.openPort(peer.port);
  const app = await bench.createApp({ kind, name: kind, port: peer.port, ...peer.app });
  const session = await bench.openSession(app);
  const { path: startPath } = TargetConnected.parse(await post(session, 'files/connect', peer.connect));
  const folder = kind === 'webdav' ? startPath.replace(/\/$/, '') : shown;
  const down: Line = { name: `${kind}: ${megabytes} MB down ÷ ${client}`, unit: '×', target: '≥ 0.60', values: [] };
  const up: Line = { name: `${kind}: ${megabytes} MB up ÷ ${client}`, unit: '×', target: '≥ 0.60', values: [] };
  for (let round = 0; round <= rounds; round++) {
    const loginMs = await timed(() => peer.logIn(port));
    const nativeDownMs = (await timed(() => peer.get(port))) - loginMs;
    const ownDownMs = await timed(() => download(session, `${folder}/large`));
    const nativeUpMs = (await timed(() => peer.put(port, large))) - loginMs;
    const ownUpMs = await timed(() => upload(session, `${folder}/uploaded`, large));
    if (round === 0) continue; // warm-up
    down.values.push(nativeDownMs / ownDownMs);
    up.values.push(nativeUpMs / ownUpMs);
  }
  return [down, up];
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}

/** curl runs in its own process, so that the speed of this one does not matter. */
async function download(session: BenchSession, path: string): Promise<void> {
  const url = `${session.url}files/content?${new URLSearchParams({ path }).toString()}`;
  await run('curl', ['-sf', '-o', '/dev/null', ...headerArgs(session.headers), url]);
}

/** By tus, in one request, as the console does. */
async function upload(session: BenchSession, path: string, file: string): Promise<void> {
  const { size } = await stat(file);
  const metadata = { path, key: String(performance.now()), overwrite: '1' };
  const headers = { ...session.headers, 'tus-resumable': '1.0.0' };
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
  const created = await fetch(`${session.url}files/uploads/`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(size), 'upload-metadata': pairs.join(',') },
  });
  if (created.status !== 201) throw new Error(`the upload was answered ${created.status}: ${await created.text()}`);
  const { href } = new URL(must(created.headers.get('location') ?? undefined, 'a location'), session.url);
  const type = 'application/offset+octet-stream';
  const args = headerArgs({ ...headers, 'upload-offset': '0', 'content-type': type, expect: '' });
  await run('curl', ['-sf', '-o', '/dev/null', '-X', 'PATCH', '-T', file, ...args, href]);
}

async function post(session: BenchSession, path: string, body: unknown): Promise<unknown> {
  const reply = await fetch(session.url + path, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
  return await reply.json();
}

function headerArgs(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
}
