import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import installation from '../../../package.json' with { type: 'json' };
import { runProgram } from './testing/run-program.ts';
import { selfSigned } from './testing/self-signed.ts';
import { makeTemporaryFolder } from './testing/temporary-folder.ts';
import { TEST_UID, TestRelay } from './testing/test-relay.ts';

const runAgent = (args: string[], env?: NodeJS.ProcessEnv) =>
  runProgram(path.join(import.meta.dirname, 'main.ts'), args, env);

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /;

/** Expects no stack traces or error codes. */
function expectPlainSentence(text: string): void {
  expect(text.replace(TIME, '')).toMatch(/^\p{Script=Han}/u);
  expect(text).not.toMatch(/\n\s+at |Error:/);
}

const dateInShanghai = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);

// With another version the console would always offer an upgrade.
test('--help explains options and exit codes, --version is the version of the installation', async () => {
  await using help = runAgent(['--help']);
  expect(await help.exitCode).toBe(0);
  expect(help.stdout()).toMatch(/--server[\s\S]*退出码[\s\S]*接入密钥无效/);
  await using version = runAgent(['--version']);
  expect(await version.exitCode).toBe(0);
  expect(version.stdout()).toBe(`${installation.version}\n`);
});

// read-arguments.test.ts has the other kinds of wrong usage.
test('wrong usage is exit code 2, and has no time', async () => {
  await using agent = runAgent(['--stat', 'x']);
  expect(await agent.exitCode).toBe(2);
  expectPlainSentence(agent.stderr());
  expect(agent.stderr()).not.toMatch(TIME);
});

test('a fresh folder needs a server, and is not created without one', async () => {
  await using folder = await makeTemporaryFolder();
  const state = path.join(folder.path, 'state');
  await using agent = runAgent(['--state', state]);
  expect(await agent.exitCode).toBe(2);
  expectPlainSentence(agent.stderr());
  expect(existsSync(state)).toBe(false);
});

test('each log line begins with the local time, also the one with the final error', async () => {
  await using relay = await TestRelay.start();
  await using folder = await makeTemporaryFolder();
  const startedOn = dateInShanghai();
  await using agent = runAgent(['--server', relay.serverUrl, '--token', 'tt_good', '--state', folder.path], {
    TZ: 'Asia/Shanghai',
  });
  await agent.untilSaid(TEST_UID);
  const session = await relay.nextSession();
  session.send({ type: 'bye', code: 'device.removed', retryAfterMs: null });
  expect(await agent.exitCode).toBe(4);
  const lines = [agent.stdout(), agent.stderr()].flatMap((text) => text.trimEnd().split('\n'));
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(TIME);
  expect([startedOn, dateInShanghai()]).toContain(lines.at(-1)?.slice(0, 10));
});

test('enrolment by environment, a restart without the token, and a stop by signal: exit code 0', async () => {
  await using relay = await TestRelay.start();
  await using folder = await makeTemporaryFolder();
  const state = path.join(folder.path, 'state');
  {
    await using agent = runAgent([], {
      TONGTU_SERVER: `${relay.serverUrl}/`,
      TONGTU_TOKEN: 'tt_good',
      TONGTU_STATE: state,
    });
    await agent.untilSaid(TEST_UID);
    expect((await relay.nextSession()).login.login.token).toBe('tt_good');
    agent.child.kill('SIGTERM');
    expect(await agent.exitCode).toBe(0);
    expect(agent.stdout()).not.toContain('tt_good');
  }
  await using agent = runAgent(['--state', state]);
  await agent.untilSaid(TEST_UID);
  const session = await relay.nextSession();
  expect(session.login.login).not.toHaveProperty('token');
  agent.child.kill('SIGINT');
  expect(await session.nextMessage()).toEqual({ type: 'bye' });
  expect(await agent.exitCode).toBe(0);
});

test('a bad token is exit code 3', async () => {
  await using relay = await TestRelay.start();
  relay.onLogin = () => ({ type: 'refused', code: 'enrolment.token-invalid', retry: false });
  await using folder = await makeTemporaryFolder();
  await using agent = runAgent(['--server', relay.serverUrl, '--token', 'tt_bad', '--state', folder.path]);
  expect(await agent.exitCode).toBe(3);
  expectPlainSentence(agent.stderr());
});

test('a refused device is exit code 4', async () => {
  await using relay = await TestRelay.start();
  relay.onLogin = () => ({ type: 'refused', code: 'device.limit-reached', retry: false });
  await using folder = await makeTemporaryFolder();
  await using agent = runAgent(['--server', relay.serverUrl, '--token', 'tt_good', '--state', folder.path]);
  expect(await agent.exitCode).toBe(4);
  expectPlainSentence(agent.stderr());
  expect(agent.stderr()).toContain('设备数量已达上限');
});

test('a state folder that is damaged or in use is exit code 5', async () => {
  await using relay = await TestRelay.start();
  await using folder = await makeTemporaryFolder();
  const damaged = path.join(folder.path, 'damaged');
  await mkdir(damaged);
  await writeFile(path.join(damaged, 'agent.json'), 'x');
  await using first = runAgent(['--state', damaged]);
  expect(await first.exitCode).toBe(5);
  expectPlainSentence(first.stderr());

  const args = ['--server', relay.serverUrl, '--token', 'tt_good', '--state', path.join(folder.path, 'used')];
  await using running = runAgent(args);
  await running.untilSaid(TEST_UID);
  await using second = runAgent(args);
  expect(await second.exitCode).toBe(5);
  expectPlainSentence(second.stderr());
  running.child.kill('SIGKILL');
  await running.exitCode;
  await using third = runAgent(args);
  await third.untilSaid(TEST_UID);
});

test.runIf(process.platform === 'linux')('a state folder that cannot be created is exit code 5', async () => {
  // lock-state-folder.test.ts has other folders.
  await using agent = runAgent(['--server', 'http://127.0.0.1:9', '--token', 'tt_good', '--state', '/proc/x/y']);
  expect(await agent.exitCode).toBe(5);
  expectPlainSentence(agent.stderr());
  expect(agent.stderr()).toContain('/proc/x/y');
});

test('a server that announces another key than before is exit code 6', async () => {
  await using relay = await TestRelay.start();
  relay.bootstrap = { ...relay.truth(), relay_pin: (await selfSigned('other')).pin };
  await using folder = await makeTemporaryFolder();
  await using agent = runAgent(['--server', relay.serverUrl, '--token', 'tt_good', '--state', folder.path]);
  await agent.untilSaid('不是绑定时的服务器');
  relay.bootstrap = relay.truth();
  expect(await agent.exitCode).toBe(6);
  expectPlainSentence(agent.stderr());
});

test('an agent that is replaced by another with the same identity logs what happened and what to do', async () => {
  await using relay = await TestRelay.start();
  await using folder = await makeTemporaryFolder();
  await using agent = runAgent(['--server', relay.serverUrl, '--token', 'tt_good', '--state', folder.path]);
  const session = await relay.nextSession();
  session.send({ type: 'bye', code: 'session.replaced', retryAfterMs: 60_000 });
  await agent.untilSaid('已断开');
  expect(agent.stdout()).toMatch(/另一个客户端正以同一设备身份运行.*复制.*删除它的状态目录.*令牌重新绑定/);
});

test('a server that cannot be reached is logged in one line and tried again', async () => {
  await using relay = await TestRelay.start();
  relay.bootstrap = 503;
  await using folder = await makeTemporaryFolder();
  await using agent = runAgent(['--server', relay.serverUrl, '--token', 'tt_good', '--state', folder.path]);
  await agent.untilSaid('暂时无法连接服务器');
  relay.bootstrap = relay.truth();
  await agent.untilSaid(TEST_UID);
  expect(agent.stdout().match(/暂时无法连接/g)).toHaveLength(1);
});
