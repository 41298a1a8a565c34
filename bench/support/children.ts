import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** The programs of a benchmark, started and stopped together. Their output is discarded. */
export class Children implements AsyncDisposable {
  readonly #children: ChildProcess[] = [];

  start(program: string, args: string[]): number {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] });
    child.on('error', (error) => {
      throw new Error(`${program} could not be started`, { cause: error });
    });
    this.#children.push(child);
    return child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map(stop));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The first line of a program's version output. Throws with an install hint when the program is missing. */
export function versionOf(program: string, flag: string, remedy = 'apt-get install nginx haproxy wrk curl'): string {
  const { stdout, stderr, error } = spawnSync(program, [flag], { encoding: 'utf8' });
  if (error) throw new Error(`${program} is not there (${remedy})`, { cause: error });
  const lines = `${stdout}${stderr}`.trim().split('\n');
  return (lines.find((line) => /\d+\.\d+/.test(line) && !/timestamp/i.test(line)) ?? '').trim();
}

const TRIES = 200;
const TRY_EVERY_MS = 50;

export async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await canConnect(port)) return;
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  throw new Error(`nothing listens on port ${port}`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', () => settle(true));
    socket.on('error', () => settle(false));
  });
}
