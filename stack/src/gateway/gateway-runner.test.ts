import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { GatewayRunner } from './gateway-runner.ts';

const STUB = path.join(import.meta.dirname, '../testing/stub-gateway.ts');

function forkStub(execPath = process.execPath): ChildProcess {
  return fork(STUB, { execPath, execArgv: [], serialization: 'advanced' });
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

test('a stop does not wait for a gateway that could not be started', async () => {
  const runner = await GatewayRunner.listen(
    { gatewaySecret: '', logLevel: 'error', fork: () => forkStub('/nonexistent/node') },
    pino({ level: 'silent' }),
  );
  expect(await text(connect(runner.port, '127.0.0.1')).catch(() => '')).toBe('');
  await runner[Symbol.asyncDispose]();
});
