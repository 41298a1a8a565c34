import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { must } from '@tongtu/base';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../src/testing/lan-service.ts';
import { makeTemporaryFolder } from '../src/testing/temporary-folder.ts';

const parts = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.sh')).toSorted();
const texts = await Promise.all(parts.map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')));
/** As the server hands it out. */
const source = texts.join('\n');
const NOBODY = 65_534;

/** A fake agent: prints its arguments and environment, without the variables of the test runner. */
const AGENT = `console.log(JSON.stringify({ args: process.argv.slice(2), state: process.env.TONGTU_STATE,
token: process.env.TONGTU_TOKEN, server: process.env.TONGTU_SERVER, name: process.env.TONGTU_NAME,
pin: process.env.TONGTU_PIN }));`;

/** A fake Node.js, for a machine that has none: it prints how it was called. */
const RUNTIME = `#!/bin/sh
case "$1" in
  -p) echo 24 ;;
  --version) echo v24.1.0 ;;
  *) echo "ran $*" ;;
esac
`;
const packedRuntime = gzipSync(RUNTIME);
const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const READY = `ready 24.1.0 ${hashOf(packedRuntime)} ${packedRuntime.length} ${RUNTIME.length}\n`;

function find(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}

function locate(program: string): string {
  return must(find(program), program);
}

/** Runs as another user if we are root: as root the script would install a real service. */
const asUser =
  process.getuid?.() === 0 ? [locate('setpriv'), `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];

function has(program: string): boolean {
  return find(program) !== undefined;
}

const shells = [['sh'], ['dash'], ['busybox', 'sh'], ['bash', '--posix']].filter(([program]) => has(program ?? ''));
const canRun = has('curl') && (asUser.length === 0 || has('setpriv'));

// A copy of Node.js where the other user can run it, whatever the permissions of this tree are. It has 120 MB.
let node: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeAll(async () => {
  node = await makeTemporaryFolder();
  await copyFile(process.execPath, path.join(node.path, 'node'));
  chmodSync(node.path, 0o755);
});
afterAll(async () => await node[Symbol.asyncDispose]());

async function setUp(agent = AGENT, runtime: string[] = [], sha256 = hashOf(AGENT)) {
  const parts = new AsyncDisposableStack();
  const folder = parts.use(await makeTemporaryFolder());
  chmodSync(folder.path, 0o777);
  const server = createServer((request, response) => {
    if (request.url === '/agent/tongtu-agent.mjs') response.end(agent);
    else if (request.url?.endsWith('/node.gz')) response.end(packedRuntime);
    else if (request.url?.startsWith('/agent/runtime/')) response.end(runtime.shift() ?? READY);
    else response.writeHead(404).end();
  });
  const serverUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  parts.defer(() => void server.close());
  const script = path.join(folder.path, 'install.sh');
  await writeFile(script, source.replaceAll('__SERVER_URL__', serverUrl).replaceAll('__AGENT_SHA256__', sha256));
  const bin = path.join(folder.path, 'bin');
  await mkdir(bin);
  await link(path.join(node.path, 'node'), path.join(bin, 'node'));
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
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
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
      args: [],
      state: `${dir}/state`,
      token: 'tt_secret',
      server: it.serverUrl,
      name,
      pin: 'P'.repeat(43),
    });
    expect(await readFile(path.join(dir, 'tongtu-agent.mjs'), 'utf8')).toBe(AGENT);
  },
);

test.runIf(canRun).each(shells.slice(0, 1))(
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

/** A machine with these programs and no Node.js. */
async function withoutNode(it: SetUp, programs: string[]): Promise<void> {
  await rm(path.join(it.bin, 'node'));
  for (const program of programs) {
    await symlink(locate(programs.includes('busybox') ? 'busybox' : program), path.join(it.bin, program));
  }
  const script = await readFile(it.script, 'utf8');
  await writeFile(it.script, script.replaceAll(/\/usr(\/local)?\/bin\/node/g, '/nowhere/node'));
}

const BARE = 'cat chmod cut df dirname grep gzip id mkdir mv rm rmdir sed sha256sum sleep tail tr uname'.split(' ');
const isGlibc = existsSync('/lib64/ld-linux-x86-64.so.2') || existsSync('/lib/ld-linux-aarch64.so.1');

test.runIf(canRun && isGlibc).each(
  [
    ['sh', 'curl'],
    ['sh', 'wget'],
    ['busybox', 'wget'],
  ].filter((programs) => programs.every(has)),
)('%s: a machine without Node.js, with %s alone, is given the one of the server', async (shell, downloader) => {
  await using it = await setUp(AGENT, ['preparing\n', READY]);
  await withoutNode(it, [...BARE, downloader, ...(shell === 'busybox' ? [shell] : [])]);
  const run = [locate(shell), ...(shell === 'busybox' ? ['sh'] : [])];
  const { code, stdout, stderr } = await runScript(it, run, [], { PATH: it.bin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const dir = path.join(it.folder, '.local/share/tongtu-agent');
  expect(stdout).toContain('正在准备 Node.js');
  expect(stdout).toMatch(/下载 Node\.js 24\.1\.0（1 MB，安装后占 1 MB）/);
  expect(stdout).toContain(`ran --max-semi-space-size=1 --optimize-for-size ${dir}/tongtu-agent.mjs`);

  // The second run finds it.
  const again = await runScript(it, run, [], { PATH: it.bin });
  expect(again.code).toBe(0);
  expect(again.stdout).not.toContain('下载');
});

test.runIf(canRun && isGlibc).each([
  ['another hash', READY.replace(hashOf(packedRuntime), 'a'.repeat(64)), '校验不一致'],
  ['a size beyond the disk', READY.replace(/\d+\n$/, '99999999999999\n'), '空间不足'],
  ['a server without the npm registry', 'failed registry\n', 'cannot reach the npm registry'],
  ['an archive that is not the one of the lockfile', 'failed wrong-archive\n', '校验不一致'],
  ['a server without this platform', 'failed unknown\n', 'frpc'],
  ['an answer that is none', '<html>\n', '无法识别服务器的应答'],
])('%s ends the installation, and leaves nothing', async (_what, answer, words) => {
  await using it = await setUp(AGENT, [answer]);
  await withoutNode(it, [...BARE, 'curl']);
  const { code, stderr } = await runScript(it, ['/bin/sh'], ['--token', 'tt_secret'], { PATH: it.bin });
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(execFileSync('find', [path.join(it.folder, '.local'), '-type', 'f'], { encoding: 'utf8' })).toBe('');
});

test.runIf(canRun)('a folder that cannot be written is named, with the way out', async () => {
  await using it = await setUp();
  const { code, stderr } = await runScript(it, ['sh'], ['--dir', '/proc/tongtu']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('无法写入 /proc/tongtu') });
});

test.runIf(canRun)('--uninstall removes what was installed, and nothing else', async () => {
  await using it = await setUp();
  const dir = path.join(it.folder, 'agent');
  await runScript(it, ['sh'], ['--dir', dir]);
  await mkdir(path.join(dir, 'state'), { recursive: true });
  await writeFile(path.join(dir, 'state/agent.json'), '{}');
  await writeFile(path.join(dir, 'photo.jpg'), '');
  chmodSync(path.join(dir, 'state'), 0o777);
  expect((await runScript(it, ['sh'], ['--uninstall', '--dir', dir])).code).toBe(0);
  expect(await readdir(dir)).toEqual(['photo.jpg']);
  expect((await runScript(it, ['sh'], ['--uninstall', '--dir', dir])).code).toBe(0);
});

/** Locks its state folder as the agent does, notes its start, and runs until it is ended. */
const LASTING_AGENT = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
process.on('SIGTERM', () => process.exit(0));
const state = process.env.TONGTU_STATE;
mkdirSync(state, { recursive: true });
writeFileSync(state + '/agent.json', '{}');
writeFileSync(state + '/agent.1.pid', JSON.stringify({ pid: process.pid, startedAt: 'now' }));
appendFileSync(state + '/starts', process.pid + '\\n');
setInterval(() => {}, 1000);`;

test.runIf(canRun)('a second run ends the agent that runs without a service, and so does --uninstall', async () => {
  await using it = await setUp(LASTING_AGENT, [], hashOf(LASTING_AGENT));
  const dir = path.join(it.folder, 'agent');
  const starts = path.join(dir, 'state/starts');
  const startedPids = () => (existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').map(Number) : []);
  // None outlives a test that fails.
  onTestFinished(() => void spawnSync('kill', startedPids().map(String)));
  const first = runScript(it, ['sh'], ['--dir', dir]);
  await expect.poll(startedPids, { timeout: 20_000 }).toHaveLength(1);
  // The lock of an agent whose number another program has by now.
  chmodSync(path.join(dir, 'state'), 0o777);
  await writeFile(path.join(dir, 'state/agent.0.pid'), JSON.stringify({ pid: process.pid, startedAt: 'then' }));

  const second = runScript(it, ['sh'], ['--dir', dir]);
  expect((await first).code).toBe(0);
  await expect.poll(startedPids, { timeout: 20_000 }).toHaveLength(2);
  expect((await runScript(it, ['sh'], ['--uninstall', '--dir', dir])).code).toBe(0);
  expect((await second).code).toBe(0);
  expect(existsSync(dir)).toBe(false);
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
  execFileSync('shellcheck', ['-s', 'sh', '-'], { input: source });
});
