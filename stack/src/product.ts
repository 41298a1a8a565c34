import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@tongtu/server';
import pino from 'pino';
import type { Built } from '../../tools/build.ts';
import { Environment, readConfig } from './config.ts';
import { makeSuperuserOf } from './make-superuser.ts';
import { OperatorError } from './operator-error.ts';
import { describeHttpsNameProblem } from './check-https-names.ts';
import { describeUnknownSetting, findUnknownSettings } from './settings/unknown-settings.ts';
import { type AdminAccount, startStack } from './start-stack.ts';
import { startWatchdog, takeWatchdog } from './systemd-watchdog.ts';
import { watchDescriptors } from './watch-descriptors.ts';

/** How long a stop may take in addition to the time for open requests. */
const STOP_WITHIN_MS = 15_000;
/** A signal to all processes arrives twice, because npm passes it on. Within this time it counts as one. */
const SAME_SIGNAL_MS = 500;

/** `npm start`: the whole product, from the tree at `root`. Ends the process when it cannot start. */
export async function runProduct(root: string, built: Built): Promise<void> {
  await run(root, built).catch((error: unknown) => fail(error));
}

async function run(root: string, { webRoot, agentFile }: Built): Promise<void> {
  const unknownSettings = findUnknownSettings(process.env, Object.keys(Environment.shape));
  // Before a wrong value ends the start: its cause may be a misspelt name.
  for (const setting of unknownSettings) say(describeUnknownSetting(setting));
  const config = readConfig(process.env, process.argv.slice(2));
  const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
  for (const setting of unknownSettings) log.warn(setting, 'an unknown setting is ignored');
  if (config.superuserToMake !== undefined) {
    await makeSuperuserOf(config, config.superuserToMake, log).then(
      (name) => say(`账号 ${name} 是超级管理员；如果刚刚才成为超级管理员，请重新登录`),
      (error: unknown) => fail(error, '无法设置超级管理员'),
    );
    return;
  }
  const watchdog = takeWatchdog(process.env);
  if (watchdog) startWatchdog(watchdog, log); // never disposed of: it runs until the process ends
  watchDescriptors(log.child({ part: 'server' }));
  const version = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).version as string; // our own file
  const lockFile = path.join(root, 'package-lock.json');
  const starting = startStack(config, { webRoot, agentFile, lockFile, version }, log, (account) => {
    sayAdmin(account);
    if (config.resetsAdminPassword) say('  这个账号的两步登录已关闭，原有的登录已全部退出');
  });
  const stop = stopOnSignal(starting, config.drainMs + STOP_WITHIN_MS);
  const stack = await starting.catch((error: unknown) => {
    // Terminals and systemd signal the database and the relays, too: the start then fails because it is stopped.
    if (stop.isRequested()) process.exit(0);
    throw error;
  });
  say(`通途 ${version} 已启动，用时 ${(performance.now() / 1000).toFixed(1)} 秒`);
  say(`  控制台：${stack.consoleUrl}`);
  for (const problem of stack.httpsNameProblems) say(`  ${describeHttpsNameProblem(problem)}`);
  const localAgent = await stack.localAgent;
  if (localAgent?.type === 'online' && localAgent.welcomeUrl) say(`  示例页面：${localAgent.welcomeUrl}`);
  if (localAgent?.type === 'removed')
    say(`  本机设备已在控制台中删除；如需重新接入，请删除 ${localAgent.marker} 后重启`);
  say('  按 Ctrl+C 停止');
}

function sayAdmin({ name, password }: AdminAccount): void {
  say(`管理员账号：${name}`);
  say(
    password === undefined
      ? '  密码：您在 ADMIN_PASSWORD 中设置的密码'
      : `  密码：${password}  （只显示这一次，请登录后修改）`,
  );
}

/** Stops in order on the first signal, at once on the second. A start in progress is finished first, if it can be. */
function stopOnSignal(starting: Promise<AsyncDisposable>, withinMs: number): { isRequested: () => boolean } {
  let stoppingSinceMs: number | undefined;
  const stop = (): void => {
    const monotonicMs = performance.now();
    if (stoppingSinceMs !== undefined) {
      if (monotonicMs - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSinceMs = monotonicMs;
    say('正在停止…');
    setTimeout(() => process.exit(1), withinMs).unref();
    starting.then(
      (stack) =>
        stack[Symbol.asyncDispose]().then(
          () => process.exit(0),
          (error: unknown) => fail(error),
        ),
      () => undefined, // run ends the process when the start fails
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { isRequested: () => stoppingSinceMs !== undefined };
}

function fail(error: unknown, what = '无法启动'): never {
  const isExpected = error instanceof OperatorError || error instanceof StartError;
  console.error(isExpected ? `${what}：${error.message}` : error);
  process.exit(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
