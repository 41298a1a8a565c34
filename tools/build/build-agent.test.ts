import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAgent } from './build-agent.ts';
import { AGENT_FILE } from './agent-file.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const BUILD_TIMEOUT_MS = 60_000;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tongtu-build-'));
  await buildAgent(root, folder);
  file = path.join(folder, AGENT_FILE);
}, BUILD_TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The system's Node.js, if it is the oldest version that the agent supports. */
async function findNode20(): Promise<string | undefined> {
  for (const node of ['/usr/local/bin/node', '/usr/bin/node']) {
    const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }));
    if (stdout.startsWith('v20.')) return node;
  }
  return undefined;
}

const node20 = await findNode20();

test('the agent is one small file that a shell can start', async () => {
  const { size, mode } = await stat(file);
  expect(size).toBeLessThan(500_000);
  expect(mode & 0o111).toBe(0o111);
  expect(await readFile(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('the agent requires only built-in modules, and imports none whose exports would all be loaded', async () => {
  const text = await readFile(file, 'utf8');
  const imported = [...text.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)].map((match) => match[1]);
  expect(imported).toEqual(['node:module']);
  const required = [...text.matchAll(/exports=\w+\(["'`]([^"'`]+)["'`]\)/g)].map((match) => match[1]);
  expect(required).toContain('node:tls');
  expect(required.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});

test('the agent loads none of the browser APIs of Node.js when it starts', async () => {
  const list = `process.on('exit', () => console.log(process.moduleLoadList.filter((name) => /undici/.test(name)).join()))`;
  const { stdout } = await run(process.execPath, ['--import', `data:text/javascript,${list}`, file, '--version']);
  expect(stdout).toMatch(/^[\d.]+\n\n$/);
});

test.runIf(node20)('the agent runs on Node.js 20, outside the repository', async () => {
  const { version } = JSON.parse(await readFile(path.join(root, 'apps/agent/package.json'), 'utf8')) as {
    version: string;
  };
  const { stdout } = await run(node20 ?? '', [file, '--version'], { cwd: folder });
  expect(stdout).toBe(`${version}\n`);
  await expect(run(node20 ?? '', [file, '--nonsense'], { cwd: folder })).rejects.toMatchObject({ code: 2 });
});
