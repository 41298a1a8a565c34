/** Checks every import of the tree against docs/architecture.md; exits 1 when one breaks a rule. */
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { findViolations } from './architecture/find-violations.ts';

const FOLDERS = ['apps', 'packages', 'stack', 'e2e', 'bench', 'tools'];

async function countSources(folders: readonly string[]): Promise<number> {
  let count = 0;
  const excluded = (name: string) => ['node_modules', 'dist', 'output'].includes(name.split('/').at(-1) ?? '');
  for await (const _file of glob(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { exclude: excluded },
  )) {
    count++;
  }
  return count;
}

const folders = FOLDERS.filter((folder) => existsSync(folder));
const report = await findViolations(process.cwd(), folders);
const sourceCount = await countSources(folders);
for (const { rule, from, to, comment } of report.violations) console.log(`${rule}: ${from} → ${to}\n    ${comment}`);
// A parser that fails silently would make every rule pass.
const isBlind = report.moduleCount < sourceCount || report.dependencyCount === 0;
if (isBlind) console.log(`Only ${report.moduleCount} of ${sourceCount} source files were read.`);
console.log(`${report.moduleCount} modules, ${report.dependencyCount} imports, ${report.violations.length} violations`);
process.exitCode = isBlind || report.violations.length > 0 ? 1 : 0;
