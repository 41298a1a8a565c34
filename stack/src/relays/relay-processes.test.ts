import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import path from 'node:path';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { type ForkRelay, RelayExitError } from './relay-child.ts';
import type { FromRelay, RelayProcessConfig } from './relay-messages.ts';
import { RelayProcesses } from './relay-processes.ts';

const STUB = path.join(import.meta.dirname, '../testing/stub-relay.ts');
const MINUTE_MS = 60_000;

/** The stub ignores it. */
const configOf = () => ({}) as RelayProcessConfig;

function forkStub({ beatEveryMs = 20, execPath = process.execPath, lastStep = 'ready' } = {}): Worker {
  cluster.setupPrimary({
    exec: STUB,
    args: [String(beatEveryMs), lastStep],
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const real = process.execPath;
  process.execPath = execPath; // what node:cluster starts
  try {
    return cluster.fork();
  } finally {
    process.execPath = real;
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(`spawn node ${code}`), { code, syscall: 'spawn node' });
}

/** What node:cluster gives when the system refuses a process: `error`, no `exit`, no process id. */
function refusedWorker(code: string): Worker {
  const process = Object.assign(new EventEmitter(), { pid: undefined, kill: () => false });
  const worker = Object.assign(new EventEmitter(), { id: -1, process, isConnected: () => false });
  setImmediate(() => worker.emit('error', systemError(code)));
  return worker as unknown as Worker; // the part of it that is used
}

/** One relay; `failures` are what its forks after the first meet, in turn. */
function startRelays(failures: (() => Worker)[], options: { heartbeat?: object; beatEveryMs?: number } = {}) {
  const lines: { msg: string; err?: { code?: string } }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const workers: Worker[] = [];
  /** The restarted relay runs. Listened to from its fork on, because it may be ready before the test looks. */
  const restarted = Promise.withResolvers<void>();
  const pending = [...failures];
  const fork: ForkRelay = () => {
    const isFirst = workers.length === 0;
    const failure = isFirst ? undefined : pending.shift();
    if (failure) return failure();
    const worker = forkStub({ beatEveryMs: options.beatEveryMs ?? 20 });
    if (!isFirst) worker.on('message', ({ type }: FromRelay) => type === 'ready' && restarted.resolve());
    workers.push(worker);
    return worker;
  };
  const heartbeat = { everyMs: 1_000, maxMissed: 60, maxMissedAtStart: 60, ...options.heartbeat };
  const relays = RelayProcesses.fork({ count: 1, drainMs: MINUTE_MS, logLevel: 'warn', fork, heartbeat }, log);
  const count = (message: RegExp) => lines.filter(({ msg }) => message.test(msg)).length;
  return { relays, workers, restarted: restarted.promise, lines, count };
}

test.each<[string, string[], (code: string) => Worker]>([
  ['a program that is missing', ['ENOENT', 'ENOENT'], () => forkStub({ execPath: '/nonexistent/node' })],
  ['a program that may not be run', ['EACCES'], () => forkStub({ execPath: import.meta.filename })],
  ['no process or no open file left', ['EAGAIN', 'EMFILE'], refusedWorker],
  [
    'no memory left',
    ['ENOMEM'],
    (code) => {
      throw systemError(code);
    },
  ],
])('a relay that ends meets %s: each try is logged, and it is started again', async (_, codes, fail) => {
  const failures = codes.map((code) => () => fail(code));
  const { relays, workers, restarted, lines, count } = startRelays(failures);
  await using _relays = relays;
  await relays.start(configOf);
  const workersBefore = Object.keys(cluster.workers ?? {}).length;

  workers[0]?.process.kill('SIGKILL');

  await restarted;
  expect(count(/could not be started/)).toBe(failures.length);
  expect(lines.filter(({ err }) => err).map(({ err }) => err?.code)).toEqual(codes);
  expect(Object.keys(cluster.workers ?? {})).toHaveLength(workersBefore);
});

test('a stop does not wait for a relay process that cannot be started', async () => {
  let tries = 0;
  const { relays, workers } = startRelays(
    Array.from({ length: 1000 }, () => () => {
      tries++;
      return refusedWorker('ENOENT');
    }),
  );
  await relays.start(configOf);
  workers[0]?.process.kill('SIGKILL');
  await vi.waitUntil(() => tries >= 2, { timeout: 30_000 });

  // Else it would take the drain, a minute, which is the time of this test.
  await relays[Symbol.asyncDispose]();
});

test('at the first start a refused process is an error', async () => {
  const log = pino({ level: 'silent' });
  const fork = () => refusedWorker('EAGAIN');
  await using relays = RelayProcesses.fork({ count: 1, drainMs: MINUTE_MS, logLevel: 'warn', fork }, log);
  const error = await relays.start(configOf).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RelayExitError);
  expect(error).toMatchObject({ exit: { type: 'not-started' }, cause: { code: 'EAGAIN' } });
});

test('a relay that ends between listening and knowing the routes does not end the first start', async () => {
  const workers: Worker[] = [];
  const fork = () => {
    const worker = forkStub({ lastStep: workers.length === 0 ? 'listening' : 'ready' });
    workers.push(worker);
    worker.on('message', ({ type }) => type === 'listening' && workers.length === 1 && worker.process.kill('SIGKILL'));
    return worker;
  };
  const log = pino({ level: 'silent' });
  await using relays = RelayProcesses.fork({ count: 1, drainMs: MINUTE_MS, logLevel: 'warn', fork }, log);
  await relays.start(configOf);
  expect(workers).toHaveLength(2);
});

test('a relay that stops beating is killed and replaced', async () => {
  const heartbeat = { everyMs: 50, maxMissed: 20 };
  const { relays, workers, restarted, count } = startRelays([], { heartbeat });
  await using _relays = relays;
  await relays.start(configOf);

  workers[0]?.process.kill('SIGSTOP');

  await restarted;
  expect(count(/hung, was killed/)).toBe(1);
});

test('a relay that sends no first beat is killed as well', async () => {
  const heartbeat = { everyMs: 1, maxMissed: 1e9 };
  const { relays, workers } = startRelays([], { heartbeat, beatEveryMs: 10 * MINUTE_MS });
  await using _relays = relays;
  await vi.waitUntil(() => workers[0]?.process.signalCode === 'SIGKILL', { timeout: 30_000 });
});

test('beats are not missed while the main process itself is paused', async () => {
  const heartbeat = { everyMs: 20, maxMissed: 10, maxMissedAtStart: 1e9 };
  const { relays, workers, lines } = startRelays([], { heartbeat });
  await using _relays = relays;
  await relays.start(configOf);
  // Twice the limit, without a turn of the event loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  let beats = 0;
  workers[0]?.on('message', () => void beats++);
  await vi.waitUntil(() => beats > 20, { timeout: 30_000 });
  expect(workers[0]?.isDead()).toBe(false);
  expect(lines).toEqual([]);
});

/** Two relays, whose restarted processes go as far as `lastStep` by themselves. Notes what happens in order. */
async function startTwoRelays(lastStep: string) {
  const events: string[] = [];
  const workers: Worker[] = [];
  const fork: ForkRelay = (number) => {
    const worker = forkStub({ lastStep });
    const name = `relay ${number}${workers.some((_, index) => index % 2 === number - 1) ? ', restarted' : ''}`;
    worker.on('message', ({ type }: FromRelay) => type === 'opened' && events.push(`${name}: opened`));
    worker.process.once('exit', () => void events.push(`${name}: ended`));
    workers.push(worker);
    return worker;
  };
  const log = pino({ level: 'silent' });
  const relays = RelayProcesses.fork({ count: 2, drainMs: MINUTE_MS, logLevel: 'warn', fork }, log);
  await relays.start(configOf);
  await vi.waitUntil(() => events.length === 2, { timeout: 30_000 });
  events.length = 0;
  const signal = (number: number, name: NodeJS.Signals) => workers[number - 1]?.process.kill(name);
  const until = (event: string) => vi.waitUntil(() => events.includes(event), { timeout: 30_000 });
  return { relays, events, signal, until };
}

test('of relays that get SIGTERM at the same time, one goes on until the successor of the other serves visitors', async () => {
  const { relays, events, signal, until } = await startTwoRelays('ready');
  await using _relays = relays;

  signal(1, 'SIGTERM');
  signal(2, 'SIGTERM');

  await until('relay 1, restarted: opened');
  await until('relay 2, restarted: opened');
  const [first, second] = events[0] === 'relay 1: ended' ? [1, 2] : [2, 1];
  expect(events).toEqual([
    `relay ${first}: ended`,
    `relay ${first}, restarted: opened`,
    `relay ${second}: ended`,
    `relay ${second}, restarted: opened`,
  ]);
});

test('a relay in its warm-up lets visitors in when no other relay serves them any more', async () => {
  const { relays, signal, until } = await startTwoRelays('warm-up');
  await using _relays = relays;
  signal(1, 'SIGTERM');
  await until('relay 1: ended');

  signal(2, 'SIGKILL');

  await until('relay 1, restarted: opened');
});
