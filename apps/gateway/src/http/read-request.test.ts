import { once } from 'node:events';
import { connect } from 'node:net';
import { AppError, appPath } from '@tongtu/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startTestGateway } from '../testing/start-test-gateway.ts';
import type { AppHandler } from './app-handlers.ts';
import { readJson } from './read-request.ts';
import { failureFor, sendProblem } from './send-problem.ts';

test('a JSON body that comes byte by byte is answered with 408 after a while, and one that moves is read', async () => {
  const begun = { count: 0, bytes: 0 };
  const handler: AppHandler = {
    handle: async (_session, request, response) => {
      request.on('data', (part: Buffer) => (begun.bytes += part.length));
      begun.count++;
      try {
        response.end(JSON.stringify(await readJson(request, z.array(z.number()), 1_000_000)));
      } catch (error) {
        sendProblem(failureFor((error as AppError).code), request, response); // readJson throws no other
      }
    },
  };
  await using t = await startTestGateway(handler);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const moving = post(t, 100_000);
  moving.socket.write(`[${' '.repeat(90_000)}`);
  const slow = post(t, 100_000);
  await expect.poll(() => begun).toEqual({ count: 2, bytes: 90_001 });
  for (let second = 1; second <= 20; second++) {
    slow.socket.write(' ');
    await expect.poll(() => begun.bytes).toBe(90_001 + second);
    expect(slow.text()).toBe('');
    vi.advanceTimersByTime(1_000);
  }
  vi.advanceTimersByTime(1_000);
  await once(slow.socket, 'close');
  expect(slow.text()).toMatch(/^HTTP\/1\.1 408 [^]*request\.too-slow/);
  moving.socket.write(`${'1'.padEnd(9_998)}]`);
  await once(moving.socket, 'close');
  expect(moving.text()).toMatch(/^HTTP\/1\.1 200 [^]*\[1\]$/);
});

function post({ handle, browser }: Awaited<ReturnType<typeof startTestGateway>>, length: number) {
  const { origin, cookie } = browser;
  const { port, hostname, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {}); // reset after the answer
  const fields = [`Host: ${host}`, `Origin: ${origin}`, `Cookie: ${cookie}`, 'Content-Type: application/json'];
  const head = [`POST ${appPath(handle)}a HTTP/1.1`, ...fields, `Content-Length: ${length}`, 'Connection: close'];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, text: () => text };
}
