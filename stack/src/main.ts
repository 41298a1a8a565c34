import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@tongtu/server';
import pino from 'pino';
import { ensureBuilt } from '../../tools/build.ts';
import { readConfig } from './config.ts';
import { OperatorError } from './operator-error.ts';
import { startStack } from './start-stack.ts';

const root = path.resolve(import.meta.dirname, '../..');
const STOP_WITHIN_MS = 15_000;

/** `npm start`: the whole product in one process. */
async function main(): Promise<void> {
  const startedAtMs = performance.now();
  const config = readConfig(process.env, process.argv.slice(2));
  const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
  const built = await ensureBuilt(root, (line) => say(line));
  const version = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).version as string; // our own file
  const stack = await startStack(config, { ...built, version }, log, ({ password }) => {
    say('首次启动：已创建管理员账号 admin');
    say(
      password === undefined
        ? '  密码：您在 ADMIN_PASSWORD 中设置的密码'
        : `  密码：${password}  （只显示这一次，请登录后修改）`,
    );
  });
  stopOnSignal(stack);
  say(`通途 ${version} 已启动，用时 ${((performance.now() - startedAtMs) / 1000).toFixed(1)} 秒`);
  say(`  控制台：${stack.consoleUrl}`);
  const welcomeUrl = await stack.welcomeUrl;
  if (welcomeUrl !== undefined) say(`  示例页面：${welcomeUrl}`);
  say('  按 Ctrl+C 停止');
}

/** Ends in order on the first signal, at once on the second. */
function stopOnSignal(stack: AsyncDisposable): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    say('正在停止…');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    stack[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): never {
  const isExpected = error instanceof OperatorError || error instanceof StartError;
  console.error(isExpected ? `无法启动：${error.message}` : error);
  process.exit(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch(fail);
