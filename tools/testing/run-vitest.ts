import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fastTemporaryFolder } from './fast-temporary-folder.ts';
import { addTotals, noTests, Totals } from './totals.ts';

/** Runs vitest on the given projects with its output passed through, and returns the totals. */
export async function runVitest(projects: readonly string[], extraArgs: readonly string[] = []): Promise<Totals> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tongtu-vitest-'));
  const totalsFile = path.join(folder, 'totals.json');
  try {
    const exitCode = await start([
      path.resolve('node_modules/vitest/vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      ...totalsReporter(totalsFile),
      ...extraArgs,
    ]);
    const written: unknown = JSON.parse(await readFile(totalsFile, 'utf8').catch(() => 'null'));
    const totals = written === null ? noTests : Totals.parse(written);
    // It found no test or crashed: no test failed, but the run did.
    const hasFailedUnseen = exitCode !== 0 && totals.failures.length === 0;
    return hasFailedUnseen ? addTotals(totals, { ...noTests, failures: [unseenFailure(projects, exitCode)] }) : totals;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The arguments with which vitest writes its totals into the file. */
export function totalsReporter(file: string): string[] {
  return [`--reporter=${path.join(import.meta.dirname, 'totals-reporter.ts')}`, `--outputFile.totals=${file}`];
}

function unseenFailure(projects: readonly string[], exitCode: number): string {
  return `vitest of ${projects.join(', ')} ended with code ${exitCode} outside of any test; see its output above`;
}

function start(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TMPDIR: fastTemporaryFolder() };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
