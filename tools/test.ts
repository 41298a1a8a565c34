/**
 * `npm test`: everything, on a fresh machine. The checks, the build, the tests of the parts, then the product as its
 * users meet it (e2e/). Installs Chromium, fonts and nginx where it may; `--no-browser` leaves the browser tests out.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { allChecks } from './checks/all-checks.ts';
import { runChecks } from './checks/run-checks.ts';
import { prepareMachine } from './testing/prepare-machine.ts';
import { runVitest } from './testing/run-vitest.ts';
import {
  addTotals,
  failuresText,
  hasPassed,
  noTests,
  secondTriesText,
  totalsLine,
  type Totals,
} from './testing/totals.ts';

process.chdir(path.resolve(import.meta.dirname, '..'));
const options = readOptions(process.argv.slice(2));
// Beside the checks, which need nothing of it.
const preparing = prepareMachine(options);
// A file of these is a whole product, a browser and a device besides. Some wait for clocks and processes most of their
// time, so that two cores serve three; more at a time only wait for each other.
const productsAtATime = Math.min(Math.max(3, availableParallelism() - 1), 6);
const besideProducts = [`--maxWorkers=${productsAtATime}`];
const checked = addTotals(await step('checks', checkEverything), await step('build', build));
await preparing;
const totals = addTotals(
  checked,
  await step('tests of the parts', () => runVitest(['node', 'web'])),
  await step('tests of the whole', () =>
    runVitest(options.withBrowser ? ['e2e', 'system'] : ['system'], besideProducts),
  ),
);
if (!options.withBrowser) console.log('The browser tests were left out (--no-browser).');
if (totals.failures.length > 0) console.log(`\n${failuresText(totals.failures)}\n`);
if (totals.secondTries.length > 0) console.log(`\n${secondTriesText(totals.secondTries)}\n`);
console.log(totalsLine(totals));
process.exitCode = hasPassed(totals) ? 0 : 1;

function readOptions(args: readonly string[]): { withBrowser: boolean } {
  const unknown = args.filter((arg) => arg !== '--no-browser');
  if (unknown.length === 0) return { withBrowser: !args.includes('--no-browser') };
  console.error(`Unknown option ${unknown.join(' ')}; known: --no-browser. One file: npx vitest run <file>`);
  process.exit(2);
}

async function step(name: string, run: () => Totals | Promise<Totals>): Promise<Totals> {
  console.log(`\n── ${name}`);
  const startedAtMs = performance.now();
  const result = await run();
  console.log(`── ${name}: ${totalsLine(result)}, ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return result;
}

/** Each check counts as one test. */
async function checkEverything(): Promise<Totals> {
  const results = await runChecks(allChecks(), {
    concurrency: 2,
    onResult: ({ check, ok, output }) => console.log(ok ? `✓ ${check.name}` : `✗ ${check.name}\n${output.trimEnd()}`),
  });
  const failed = results.filter((result) => !result.ok);
  const failures = failed.map(({ check, output }) => `check ${check.name}\n${output}`);
  return { ...noTests, passed: results.length - failed.length, failures };
}

/** Builds console and agent before the tests start the product. */
async function build(): Promise<Totals> {
  const child = spawn(process.execPath, ['tools/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [status] = (await once(child, 'close')) as [number | null];
  return { ...noTests, failures: status === 0 ? [] : ['the build: its own words are above'] };
}
