/** `npm run check`: formatter, linter, types, unused code, import rules, generated files and lockfile; 1 when any fails. */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { allChecks } from './checks/all-checks.ts';
import { runChecks } from './checks/run-checks.ts';

process.chdir(path.resolve(import.meta.dirname, '..'));
const results = await runChecks(allChecks(), {
  concurrency: Math.min(2, availableParallelism()),
  onResult: ({ check, ok, seconds }) => console.log(`${ok ? '✓' : '✗'} ${check.name} ${seconds.toFixed(1)} s`),
});
const failed = results.filter((result) => !result.ok);
for (const { check, output } of failed)
  console.log(`\n✗ ${check.name}: ${check.command} ${check.args.join(' ')}\n${output.trimEnd()}`);
if (failed.length > 0) {
  console.log(`\n${failed.length} of ${results.length} checks failed`);
  process.exitCode = 1;
}
