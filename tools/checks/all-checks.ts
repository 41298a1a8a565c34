import { globSync } from 'node:fs';
import type { Check } from './run-checks.ts';

const NODE = process.execPath;

/** What `npm run check` runs, the slowest first so that the cores stay busy. */
export function allChecks(): Check[] {
  return [
    { name: 'lint', ...bin('oxlint', '--deny-warnings') },
    { name: 'types', ...bin('tsc', '-p', '.') },
    { name: 'types of the console', ...bin('tsc', '-p', 'apps/web') },
    { name: 'types of the end-to-end tests', ...bin('tsc', '-p', 'e2e') },
    { name: 'import rules', command: NODE, args: ['tools/check-architecture.ts'] },
    { name: 'docs', command: NODE, args: ['tools/check-docs.ts'] },
    { name: 'Docker files', command: NODE, args: ['tools/check-docker.ts'] },
    { name: 'unused files, exports and packages', ...bin('knip', '--no-progress') },
    { name: 'lockfile', command: 'npm', args: ['ci', '--dry-run', '--ignore-scripts'] },
    { name: 'format', ...bin('oxfmt', '--check') },
    ...generatedFileChecks(),
  ];
}

/** Every tools/write-*.ts writes a committed file and can check whether it is stale. */
function generatedFileChecks(): Check[] {
  return globSync('tools/write-*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .map((file) => ({
      name: `fresh ${file.slice('tools/write-'.length, -'.ts'.length)}`,
      command: NODE,
      args: [file, '--check'],
    }));
}

function bin(name: string, ...args: string[]): Pick<Check, 'command' | 'args'> {
  return { command: `node_modules/.bin/${name}`, args };
}
