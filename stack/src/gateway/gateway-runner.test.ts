import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { GatewayRunner } from './gateway-runner.ts';

const STUB = path.join(import.meta.dirname, '../testing/stub-gateway.ts');

function forkStub(execPath = process.execPath, args: string[] = []): ChildProcess {
  return fork(STUB, args, { execPath, execArgv: [], serialization: 'advanced' });
}

test('a gateway that the system refuses to start is logged and started by a later connection', async () => {
  const codes: (string | undefined)[] = [];
  const write = (line: string) => void codes.push((JSON.parse(line) as { err?: { code?: string } }).err?.code);
  const starts = [
    () => forkStub('/nonexistent/node'),
    () => {
      throw Object.assign(new Error('spawn node ENOMEM'), { code: 'ENOMEM' });
    },
    () => forkStub(),
  ];
  const options = { gatewaySecret: '', logLevel: 'error', fork: () => starts.shift()?.() ?? forkStub() };
  // The stop would never end if it waited for a process that was not started.
  await using runner = await GatewayRunner.listen(options, pino({ level: 'error' }, { write }));

  const visit = () => text(connect(runner.port, '127.0.0.1')).catch(() => ''); // a refused one is reset
  await vi.waitUntil(async () => (await visit()) === 'served', { timeout: 30_000, interval: 50 });

  expect(codes).toEqual(['ENOENT', 'ENOMEM']);
});

test('the connections of a hung gateway end with it, also those that it has not taken yet', async () => {
  const children: ChildProcess[] = [];
  const start = () => {
    const child = forkStub(process.execPath, ['keep']);
    children.push(child);
    return child;
  };
  const heartbeat = { everyMs: 50, maxMissed: 20, maxMissedAtStart: 1e9 };
  const options = { gatewaySecret: '', logLevel: 'error', fork: start, heartbeat };
  await using runner = await GatewayRunner.listen(options, pino({ level: 'silent' }));
  const visit = () => connect(runner.port, '127.0.0.1').on('error', () => {}); // 'close' follows
  const open = Array.from({ length: 3 }, visit);
  await Promise.all(open.map((socket) => once(socket, 'data')));

  children[0]?.kill('SIGSTOP');
  const waiting = Array.from({ length: 18 }, visit);
  const closings = [...open, ...waiting].map(async (socket) => await once(socket.resume(), 'close'));

  await Promise.all(closings);
  const next = await vi.waitUntil(async () => await answerOf(visit()), { timeout: 30_000, interval: 50 });
  expect(next).toBe('served');
});

/** Its first bytes; undefined if it closes before. */
async function answerOf(socket: Socket): Promise<string | undefined> {
  const answered = once(socket, 'data').then(([bytes]) => String(bytes));
  const answer = await Promise.race([answered, once(socket, 'close').then(() => undefined)]);
  socket.destroy();
  return answer;
}

test('a stop does not wait for a gateway that could not be started', async () => {
  const runner = await GatewayRunner.listen(
    { gatewaySecret: '', logLevel: 'error', fork: () => forkStub('/nonexistent/node') },
    pino({ level: 'silent' }),
  );
  expect(await text(connect(runner.port, '127.0.0.1')).catch(() => '')).toBe('');
  await runner[Symbol.asyncDispose]();
});
