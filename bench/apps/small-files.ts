import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TargetConnected } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { findHeadlessChromium, thisMachine } from '../../tools/testing/system-requirements.ts';
import { type FilePeer, startFilePeers } from '../support/file-peers.ts';
import type { AppsBench, BenchSession } from '../support/open-apps-bench.ts';
import type { Line } from '../support/report.ts';

const FILES_IN_FOLDER = 50;
const LARGEST_BYTES = 4_096;
/** As many connections as a browser opens to one host. */
const AT_ONCE = 6;

/** Many small files, chosen as one folder in the page, against a program that sends them through the same gateway. */
export async function measureSmallFiles(bench: AppsBench): Promise<Line[]> {
  const local = await mkdtemp(path.join(tmpdir(), 'tongtu-small-'));
  try {
    await using files = await startFilePeers(1);
    const names = await makeFiles(path.join(local, '照片'), bench.effort.smallFiles);
    const lines: Line[] = [];
    for (const peer of files.peers)
      if (bench.effort.kinds.includes(peer.kind)) lines.push(...(await measurePeer(bench, peer, local, names)));
    return lines;
  } finally {
    await rm(local, { recursive: true, force: true });
  }
}

/** Folders in folders. The names of the files, below `folder`'s parent. */
async function makeFiles(folder: string, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let n = 0; n < count; n++) {
    const inside = path.join(`年份 ${Math.floor(n / FILES_IN_FOLDER / 10)}`, `月份 ${Math.floor(n / FILES_IN_FOLDER)}`);
    if (n % FILES_IN_FOLDER === 0) await mkdir(path.join(folder, inside), { recursive: true });
    const name = path.join(inside, `图片 ${n}.jpg`);
    await writeFile(path.join(folder, name), Buffer.alloc(1_024 + ((n * 37) % (LARGEST_BYTES - 1_024)), n));
    names.push(path.join(path.basename(folder), name));
  }
  return names;
}

async function measurePeer(bench: AppsBench, peer: FilePeer, local: string, names: string[]): Promise<Line[]> {
  const { kind } = peer;
  const app = await bench.createApp({ kind, name: kind, port: peer.port, ...peer.app });
  const openSession = async () => {
    const session = await bench.openSession(app);
    return { session, path: TargetConnected.parse(await post(session, 'connect', peer.connect)).path };
  };
  const { path: startPath } = await openSession();
  const shown = kind === 'webdav' ? startPath.replace(/\/$/, '') : peer.shown;
  const line = (name: string, unit: Line['unit'], target: string): Line => ({
    ...{ name: `${kind}: ${names.length} small files, ${name}`, unit, target, values: [] },
  });
  const lines = {
    program: line('by a program, files/s', 'requests', ''),
    folded: line('page with the list folded ÷ program', '×', '≥ 0.33'),
    unfolded: line('page with the list shown ÷ program', '×', '≥ 0.33'),
    busy: line('main thread of the page busy', '×', '< 0.30'),
  };
  const executablePath = must(findHeadlessChromium(thisMachine), 'Chromium');
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const profile = await browser.newContext({ locale: 'zh-CN' });
    await profile.addCookies(bench.owner.browserCookies());
    for (let round = 0; round < bench.effort.rounds; round++) {
      // Each time another one: a session without a page ends after a minute.
      const { session } = await openSession();
      const target = `${shown}/program ${round}`;
      const rate = names.length / (await timed(() => sendAll(session, target, local, names)));
      lines.program.values.push(rate);
      for (const look of ['folded', 'unfolded'] as const) {
        const folder = `${shown}/${look} ${round}`;
        await post((await openSession()).session, 'folder', { path: folder });
        const page = await profile.newPage();
        const at = `${bench.product.consoleUrl}/#/apps/${app.id}?${new URLSearchParams({ path: folder }).toString()}`;
        const { seconds, busy } = await uploadInPage(page, at, path.join(local, '照片'), names.length, look);
        await page.close();
        lines[look].values.push(names.length / seconds / rate);
        if (look === 'unfolded') lines.busy.values.push(busy);
      }
    }
  } finally {
    await browser.close();
  }
  return Object.values(lines);
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return (performance.now() - startedAtMs) / 1_000;
}

/** With one request for each file, after its folders. */
async function sendAll(session: BenchSession, target: string, local: string, names: string[]): Promise<void> {
  const folders = new Set<string>(['']);
  for (const name of names) {
    const parts = name.split('/').slice(0, -1);
    for (const [index] of parts.entries()) folders.add(`/${parts.slice(0, index + 1).join('/')}`);
  }
  for (const folder of folders) await post(session, 'folder', { path: `${target}${folder}` });
  const left = names.values();
  const sendOn = async (): Promise<void> => {
    for (const name of left) await sendFile(session, `${target}/${name}`, path.join(local, name));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
}

async function sendFile(session: BenchSession, at: string, file: string): Promise<void> {
  const { size, mtimeMs } = await stat(file);
  const metadata = { path: at, key: `${size}-${mtimeMs}`, overwrite: '0' };
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`);
  const reply = await fetch(`${session.url}files/uploads/`, {
    method: 'POST',
    headers: {
      ...session.headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(size),
      'upload-metadata': pairs.join(','),
      'content-type': 'application/offset+octet-stream',
    },
    body: await readFile(file),
  });
  const text = await reply.text();
  if (reply.status !== 201) throw new Error(`${at} was answered ${reply.status}: ${text}`);
}

async function post(session: BenchSession, call: string, body: unknown): Promise<unknown> {
  const reply = await fetch(`${session.url}files/${call}`, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${call} was answered ${reply.status}: ${await reply.text()}`);
  return await reply.json();
}

const DONE_WITHIN_MS = 30 * 60_000;

async function uploadInPage(page: Page, url: string, local: string, count: number, look: 'folded' | 'unfolded') {
  await page.goto(url);
  const trust = page.getByRole('button', { name: '信任并连接' });
  const isReady = page.getByText('这个文件夹是空的');
  await trust.or(isReady).first().waitFor();
  if (await trust.isVisible()) await trust.click();
  await isReady.waitFor();
  const metrics = await page.context().newCDPSession(page);
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await busySeconds(metrics);
  const startedAtMs = performance.now();
  await page.locator('input[webkitdirectory]').setInputFiles(local);
  if (look === 'folded') await page.getByRole('button', { name: '收起上传列表' }).click();
  await page.getByText(`上传完成 ${count} 项`).waitFor({ timeout: DONE_WITHIN_MS });
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { seconds, busy: ((await busySeconds(metrics)) - before) / seconds };
}

/** The CPU time of the page's main thread. */
async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
