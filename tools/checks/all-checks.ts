import { globSync } from 'node:fs';
import type { Check } from './run-checks.ts';

const NODE = process.execPath;

/**
 * Linter and compiler are Go programs that divide their work among threads, each of which checks what they share once
 * more. On two cores, where two checks run side by side, one thread each takes half of the processor time; and so does
 * the garbage collector when it may use half as much memory again.
 */
const oneThread = { GOMAXPROCS: '1', GOGC: '200' };

/** What `npm run check` runs, the slowest first so that the cores stay busy. */
export function allChecks(): Check[] {
  return [
    { name: 'lint', ...bin('oxlint', '--deny-warnings'), env: oneThread },
    { name: 'types', ...types('.') },
    { name: 'types of the console', ...types('apps/web') },
    { name: 'types of the end-to-end tests', ...types('e2e') },
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

function types(project: string): Pick<Check, 'command' | 'args' | 'env'> {
  return { ...bin('tsc', '-p', project, '--singleThreaded'), env: oneThread };
}

function bin(name: string, ...args: string[]): Pick<Check, 'command' | 'args'> {
  return { command: `node_modules/.bin/${name}`, args };
}
