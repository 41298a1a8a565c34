import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listenOnLoopback } from '../src/testing/lan-service.ts';
import { makeTemporaryFolder } from '../src/testing/temporary-folder.ts';

const source = await readFile(path.join(import.meta.dirname, 'install.sh'), 'utf8');
const NOBODY = 65_534;

/** A fake agent: prints its arguments and environment, without the variables of the test runner. */
const AGENT = `console.log(JSON.stringify({ args: process.argv.slice(2), token: process.env.TONGTU_TOKEN,
server: process.env.TONGTU_SERVER, name: process.env.TONGTU_NAME, pin: process.env.TONGTU_PIN }));`;

/** Runs as another user if we are root: as root the script would install a real service. */
const asUser = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];

function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const shells = [['sh'], ['dash'], ['busybox', 'sh'], ['bash', '--posix']].filter(([program]) => has(program ?? ''));
const canRun = has('curl') && (asUser.length === 0 || has('setpriv'));

async function setUp(agent = AGENT, sha256 = createHash('sha256').update(AGENT).digest('hex')) {
  const parts = new AsyncDisposableStack();
  const folder = parts.use(await makeTemporaryFolder());
  chmodSync(folder.path, 0o777);
  const server = createServer((request, response) => {
    if (request.url === '/agent/tongtu-agent.mjs') response.end(agent);
    else response.writeHead(404).end();
  });
  const serverUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  parts.defer(() => void server.close());
  const script = path.join(folder.path, 'install.sh');
  await writeFile(script, source.replaceAll('__SERVER_URL__', serverUrl).replaceAll('__AGENT_SHA256__', sha256));
  // Where the other user can run it, whatever the permissions of this tree are.
  const bin = path.join(folder.path, 'bin');
  await mkdir(bin);
  await copyFile(process.execPath, path.join(bin, 'node'));
  return { folder: folder.path, script, serverUrl, bin, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

async function runScript(it: SetUp, shell: string[], args: string[], env: NodeJS.ProcessEnv = {}) {
  const [program = '', ...rest] = [...asUser, ...shell, it.script, ...args];
  const child = spawn(program, rest, {
    cwd: it.folder,
    env: { PATH: `${it.bin}:/usr/bin:/bin:/usr/sbin:/sbin`, HOME: it.folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

test.runIf(canRun).each(shells)(
  '%s: downloads, checks and runs the agent without the token in its arguments',
  async (...shell) => {
    await using it = await setUp();
    const name = `老王's "NAS" $HOME \`x\``;
    const { code, stdout, stderr } = await runScript(it, shell, [
      '--token',
      'tt_secret',
      '--name',
      name,
      '--pin',
      'P'.repeat(43),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const call = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    const dir = path.join(it.folder, '.local/share/tongtu-agent');
    expect(call).toEqual({
      args: ['--state', `${dir}/state`],
      token: 'tt_secret',
      server: it.serverUrl,
      name,
      pin: 'P'.repeat(43),
    });
    expect(await readFile(path.join(dir, 'tongtu-agent.mjs'), 'utf8')).toBe(AGENT);
  },
);

test.runIf(canRun).each(shells)(
  '%s: the token may come by environment, and an argument overrides it',
  async (...shell) => {
    await using it = await setUp();
    const tokenOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '').token;
    const given = { TONGTU_TOKEN: 'tt_environment' };
    const byEnvironment = await runScript(it, shell, [], given);
    expect(byEnvironment.stderr).toBe('');
    expect(tokenOf(byEnvironment.stdout)).toBe('tt_environment');
    const byBoth = await runScript(it, shell, ['--token', 'tt_argument'], given);
    expect(tokenOf(byBoth.stdout)).toBe('tt_argument');
  },
);

test.runIf(canRun)('without a token the agent runs and logs its link', async () => {
  await using it = await setUp();
  const { code, stdout } = await runScript(it, ['sh'], []);
  expect(code).toBe(0);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ token: '', server: it.serverUrl });
});

test.runIf(canRun)('a second run upgrades, and needs no token once the device is enrolled', async () => {
  await using it = await setUp();
  const dir = path.join(it.folder, 'agent');
  await runScript(it, ['sh'], ['--token', 'tt_secret', '--dir', dir]);
  await writeFile(path.join(dir, 'tongtu-agent.mjs'), 'old');
  await mkdir(path.join(dir, 'state'), { recursive: true });
  await writeFile(path.join(dir, 'state/agent.json'), '{}');
  expect((await runScript(it, ['sh'], ['--dir', dir])).code).toBe(0);
  expect(await readFile(path.join(dir, 'tongtu-agent.mjs'), 'utf8')).toBe(AGENT);
});

test.runIf(canRun)('a file with another hash is not installed', async () => {
  await using it = await setUp(`${AGENT}//changed`);
  const { code, stderr } = await runScript(it, ['sh'], ['--token', 'tt_secret']);
  expect(code).toBe(1);
  expect(stderr).toContain('校验不一致');
  const left = execFileSync('find', [path.join(it.folder, '.local'), '-type', 'f'], { encoding: 'utf8' });
  expect(left).toBe('');
});

test.runIf(canRun)('without Node.js it prints how to install it', async () => {
  await using it = await setUp();
  await rm(path.join(it.bin, 'node'));
  // An older Node.js earlier in PATH hides the one of this machine.
  const script = (await readFile(it.script, 'utf8')).replaceAll(/\/usr(\/local)?\/bin\/node/g, '/nowhere/node');
  await writeFile(it.script, script);
  await writeFile(path.join(it.bin, 'node'), '#!/bin/sh\necho 18\n', { mode: 0o755 });
  const { code, stderr } = await runScript(it, ['sh'], ['--token', 'tt_secret']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/Node\.js 20[\s\S]*apt-get[\s\S]*OpenWrt[\s\S]*群晖/);
});

test.runIf(canRun).each([
  ['an unknown option', ['--tokn', 'x']],
  ['an option without its value', ['--token']],
  ['a server that cannot be reached', ['--token', 'x']],
])('%s fails with a Chinese sentence', async (what, args) => {
  await using it = await setUp();
  if (what.startsWith('a server')) {
    await writeFile(it.script, (await readFile(it.script, 'utf8')).replaceAll(it.serverUrl, 'http://127.0.0.1:9'));
  }
  const { code, stderr } = await runScript(it, ['sh'], args);
  expect(code).toBe(1);
  expect(stderr).toContain('安装失败：');
  expect(existsSync(path.join(it.folder, '.local/share/tongtu-agent/tongtu-agent.mjs'))).toBe(false);
});

test.runIf(has('shellcheck'))('shellcheck reports nothing', () => {
  execFileSync('sh', ['-c', 'shellcheck "$0"', path.join(import.meta.dirname, 'install.sh')]);
});
