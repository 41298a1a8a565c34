import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '../../e2e/support/product/product.ts';
import { ensureBuilt } from '../../tools/build.ts';
import type { Line } from '../support/report.ts';
import { printFigures, printOutages, toLines } from '../wan/goals.ts';
import type { WanResult } from '../wan/figures.ts';
import { compileLine } from '../wan/line.ts';
import { createNamespaces, inNamespace, whyNoLine } from '../wan/namespaces.ts';
import type { WanOptions } from '../wan/options.ts';
import type { WanTask } from '../wan/wan-process.ts';

/**
 * Pages, requests beside a download, downloads and outages over an emulated line with delay, loss and cuts, through the
 * product and through the tunnels that the environment names. Needs root, /dev/net/tun, ip and gcc.
 */
export async function measureWan(options: WanOptions): Promise<{ lines: Line[]; versions: Record<string, string> }> {
  const obstacle = await whyNoLine();
  if (obstacle !== '') throw new Error(`no emulated line: ${obstacle}`);
  // A busy machine builds for longer than a product may take to start.
  await ensureBuilt(repository, console.error);
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-wan-'));
  await using parts = new AsyncDisposableStack();
  parts.defer(async () => await rm(folder, { recursive: true, force: true }));
  const lineProgram = await compileLine(folder);
  const { server, home } = parts.use(await createNamespaces());
  const result = await runThere({ options, lineProgram, folder, namespaces: { server, home } });
  printFigures(result.figures);
  printOutages(result.outages);
  return { lines: toLines(result), versions: result.versions };
}

async function runThere(task: WanTask): Promise<WanResult> {
  const program = path.join(import.meta.dirname, '../wan/wan-process.ts');
  const command = inNamespace(task.namespaces.server, [process.execPath, program, JSON.stringify(task)]);
  const child = spawn('ip', command, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced', // the result has NaN and Infinity
  });
  // The namespaces are removed after it has ended.
  const stop = () => void child.kill();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  let result: WanResult | undefined;
  child.on('message', (message) => (result = message as WanResult)); // wan-process.ts sends nothing else
  await once(child, 'exit');
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  if (result === undefined) throw new Error('the measurement over the emulated line failed');
  return result;
}
