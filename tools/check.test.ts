import { spawnSync } from 'node:child_process';
import { copyFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runChecks } from './checks/run-checks.ts';

const repository = path.resolve(import.meta.dirname, '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tongtu-check-'));
  await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  await cp(path.join(repository, 'tools/lint'), path.join(folder, 'tools/lint'), { recursive: true });
  for (const file of ['.oxlintrc.json', '.oxfmtrc.json', 'tsconfig.base.json']) {
    await copyFile(path.join(repository, file), path.join(folder, file));
  }
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(folder, 'tsconfig.json'), '{ "extends": "./tsconfig.base.json", "include": ["*.ts"] }');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function run(tool: string, ...args: string[]): { ok: boolean; output: string } {
  const bin = path.join(repository, 'node_modules/.bin', tool);
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: folder, encoding: 'utf8' });
  return { ok: status === 0, output: stdout + stderr };
}

async function plant(file: string, source: string): Promise<void> {
  await writeFile(path.join(folder, file), source);
}

/** A rule, the file with its violation, and the file's text. A cycle needs two files. */
const violations = [
  ['typescript(no-floating-promises)', 'call.ts', `async function f() {}\nf();\n`],
  ['typescript(no-floating-promises)', 'thenable.ts', `declare function query(): PromiseLike<number>;\nquery();\n`],
  ['typescript(await-thenable)', 'await.ts', `await 1;\n`],
  ['typescript(no-misused-promises)', 'misused.ts', `setInterval(async () => {}, 1);\n`],
  [
    'typescript(switch-exhaustiveness-check)',
    'switch.ts',
    `export function f(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 0;\n}\n`,
  ],
  ['typescript(no-explicit-any)', 'any.ts', `export function f(x: any) {\n  return x as string;\n}\n`],
  ['import(no-default-export)', 'default.ts', `export default 1;\n`],
  [
    'tongtu(kysely-execute)',
    'execute.ts',
    `declare const db: { deleteFrom(t: string): object };\ndb.deleteFrom('session');\n`,
  ],
  ['eslint(no-console)', 'console.ts', `console.log(1);\n`],
  ['vitest(no-focused-tests)', 'focused.test.ts', `import { test } from 'vitest';\ntest.only('x', () => {});\n`],
  ['import(no-cycle)', 'one.ts', `import { two } from './two.ts';\nexport const one = () => two;\n`],
  ['import(no-cycle)', 'two.ts', `import { one } from './one.ts';\nexport const two = () => one;\n`],
  ['unicorn(filename-case)', 'PlantedName.ts', `export const a = 1;\n`],
] as const;

// In one run, because each start of the linter takes a second of two cores.
test('the linter reports each planted violation', async () => {
  for (const [, file, source] of violations) await plant(file, source);
  const files = violations.map(([, file]) => file);
  const { ok, output } = run('oxlint', '--deny-warnings', '--format', 'unix', ...files);
  const lines = output.split('\n');
  const missed = violations.filter(([rule, file]) => !lines.some((line) => line.includes(file) && line.includes(rule)));
  expect(missed).toEqual([]);
  expect(ok).toBe(false);
});

test('the linter is content with house style', async () => {
  await plant('sound.ts', `export async function wait(): Promise<number> {\n  return await Promise.resolve(1);\n}\n`);
  expect(run('oxlint', '--deny-warnings', 'sound.ts')).toMatchObject({ ok: true });
});

test('the formatter reports double quotes, and nothing in a formatted file', async () => {
  await plant('formatted.ts', `export const a = 'a';\n`);
  await plant('unformatted.ts', `export const a = "a"\n`);
  expect(run('oxfmt', '--check', 'formatted.ts').ok).toBe(true);
  expect(run('oxfmt', '--check', 'unformatted.ts')).toMatchObject({ ok: false });
});

test('the compiler refuses what Node cannot strip, and unchecked index access', async () => {
  await plant('typed.ts', `export enum Colour { Red }\nexport const first: string = ['a'][0];\n`);
  const { ok, output } = run('tsc', '-p', '.');
  expect(output).toMatch(/typed\.ts\(1,13\): error TS1294/);
  expect(output).toMatch(/typed\.ts\(2,14\): error TS2322/);
  expect(ok).toBe(false);
});

test('every check runs even when one fails, and a missing tool is a failure', async () => {
  const script = (code: string) => ({ name: code, command: process.execPath, args: ['-e', code] });
  const checks = [
    script('process.exit(3)'),
    script('console.log("seen")'),
    { name: 'missing', command: '/nonexistent/tool', args: [] },
    script('process.kill(process.pid, "SIGKILL")'),
  ];
  const seen: string[] = [];
  const results = await runChecks(checks, { concurrency: 2, onResult: ({ check }) => seen.push(check.name) });
  expect(results.map((result) => result.ok)).toEqual([false, true, false, false]);
  expect(results[1]?.output).toBe('seen\n');
  expect(seen.sort()).toEqual(checks.map((check) => check.name).sort());
});

test('the configuration under test is the one of the repository', async () => {
  const rules = JSON.parse(await readFile(path.join(folder, '.oxlintrc.json'), 'utf8')) as { jsPlugins: string[] };
  expect(rules.jsPlugins).toEqual(['./tools/lint/tongtu-plugin.ts']);
});
