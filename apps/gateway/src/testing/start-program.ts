import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 200;
const BETWEEN_TRIES_MS = 50;

export type RunningProgram = AsyncDisposable & { port: number; process: ChildProcess };

/** Starts a server in the foreground and waits until it accepts connections. */
export async function startProgram(
  file: string,
  args: readonly string[],
  { port, env = {} }: { port: number; env?: Record<string, string> },
): Promise<RunningProgram> {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (child.exitCode !== null) throw new Error(`${file} ended:\n${said}`);
    if (await accepts(port)) return { port, process: child, [Symbol.asyncDispose]: stop };
    await sleep(BETWEEN_TRIES_MS);
  }
  await stop();
  throw new Error(`${file} does not accept connections:\n${said}`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  return await new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((connected) => {
    socket.destroy();
    return connected === true;
  });
}
