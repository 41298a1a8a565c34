import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fastTemporaryFolder } from './fast-temporary-folder.ts';
import { addTotals, noTests, totalsOfReport, type Totals } from './totals.ts';

/** Runs vitest on the given projects with its own output passed through, and tells how many tests it ran. */
export async function runVitest(projects: readonly string[], extraArgs: readonly string[] = []): Promise<Totals> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-vitest-'));
  const reportFile = path.join(folder, 'report.json');
  try {
    const exitCode = await start([
      path.resolve('node_modules/vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...extraArgs,
    ]);
    const report: unknown = JSON.parse(await readFile(reportFile, 'utf8').catch(() => 'null'));
    const totals = report === null ? noTests : totalsOfReport(report);
    // A file that cannot be loaded, an unhandled error, a crash: no test counts as failed, but the run has.
    const hasFailedUnseen = exitCode !== 0 && totals.failed === 0;
    return hasFailedUnseen ? addTotals(totals, { ...noTests, failed: 1 }) : totals;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function start(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TMPDIR: fastTemporaryFolder() };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
