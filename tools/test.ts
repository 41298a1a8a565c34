/**
 * `npm test`: everything, on a fresh machine. The checks, the build, the tests of the parts, then the product as its
 * users meet it (e2e/). Installs Chromium, fonts and nginx where it may; `--no-browser` leaves the browser tests out.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { allChecks } from './checks/all-checks.ts';
import { runChecks } from './checks/run-checks.ts';
import { canInstall, installPackages } from './testing/apt-get.ts';
import { runVitest } from './testing/run-vitest.ts';
import { howToInstall, missingOptions, missingRequirements, thisMachine } from './testing/system-requirements.ts';
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
await prepareMachine();
// A file of these is a whole product, a browser and a device besides. Some wait for clocks and processes most of their
// time, so that two cores serve three; more at a time only wait for each other.
const productsAtATime = Math.min(Math.max(3, availableParallelism() - 1), 6);
const besideProducts = [`--maxWorkers=${productsAtATime}`];
const totals = addTotals(
  await step('checks', checkEverything),
  await step('build', build),
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

async function prepareMachine(): Promise<void> {
  const missing = missingRequirements(thisMachine, options).map(({ debianPackage }) => debianPackage);
  if (missing.length > 0 && canInstall(thisMachine)) {
    console.log(`installing ${missing.join(', ')} …`);
    await installPackages(missing);
  }
  await offerOptions();
  const stillMissing = missingRequirements(thisMachine, options);
  if (stillMissing.length === 0) return;
  console.error(howToInstall(thisMachine, stillMissing));
  process.exit(1);
}

/** Not every system has each of these packages: where they cannot be installed together, each is tried separately. */
async function offerOptions(): Promise<void> {
  const wanted = missingOptions(thisMachine, options).map(({ debianPackage }) => debianPackage);
  if (wanted.length > 0 && canInstall(thisMachine)) {
    console.log(`installing ${wanted.join(', ')} …`);
    await installPackages(wanted, { attempts: 1 }).catch(async () => await installEach(wanted));
  }
  for (const { what, debianPackage, without } of missingOptions(thisMachine, options))
    console.log(`Without ${what} ${without}: apt-get install ${debianPackage}`);
}

async function installEach(packages: readonly string[]): Promise<void> {
  for (const name of packages) await installPackages([name]).catch((error: unknown) => console.log(String(error)));
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
function build(): Totals {
  const { status } = spawnSync(process.execPath, ['tools/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
  return { ...noTests, failures: status === 0 ? [] : ['the build: its own words are above'] };
}
