// @vitest-environment node
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { longPoll } from './long-poll.ts';

async function serve(answer: (response: ServerResponse, query: URLSearchParams) => void): Promise<string> {
  const server = createServer((request, response) =>
    answer(response, new URL(request.url ?? '', 'http://localhost').searchParams),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`; // a TCP server has no string address
}

const asked = { category: 'weixinoauth-x', sinceTimeMs: 5 };
const failureOf = async (promise: Promise<unknown>) =>
  await promise.then(
    () => 'none',
    (error: { failure?: { type: string } }) => error.failure?.type,
  );

test('a poll asks for thirty seconds and returns the events', async () => {
  const seen: Record<string, string>[] = [];
  const url = await serve((response, query) => {
    seen.push(Object.fromEntries(query));
    response.end('{"events":[{"timestamp":7,"category":"c","data":{"status":"scanned"},"id":"1"},{"nonsense":1}]}');
  });

  expect(await longPoll(url, asked)).toEqual({
    type: 'events',
    events: [expect.objectContaining({ timestamp: 7, data: { status: 'scanned' } })],
  });
  expect(seen).toEqual([{ timeout: '30', category: 'weixinoauth-x', since_time: '5' }]);
});

test('a timeout without events and an error of the server are answers, too', async () => {
  const silent = await serve((response) => response.end('{"timeout":"no events before timeout","timestamp":9}'));
  const refusing = await serve((response) => response.end('{"error":"Invalid timeout arg.  Must be 1-110."}'));

  expect(await longPoll(silent, asked)).toEqual({ type: 'timeout', timestamp: 9 });
  expect(await longPoll(refusing, asked)).toEqual({ type: 'error', message: 'Invalid timeout arg.  Must be 1-110.' });
});

test('a broken connection, an unreadable answer and a cancellation are different errors', async () => {
  const broken = await serve((response) => response.destroy());
  const other = await serve((response) => response.end('<html>'));
  const wrong = await serve((response) => response.end('{"something":"else"}'));
  const failing = await serve((response) => response.writeHead(502).end());
  const aborter = new AbortController();
  const held = await serve(() => aborter.abort());

  expect(await failureOf(longPoll(broken, asked))).toBe('network');
  expect(await failureOf(longPoll(other, asked))).toBe('network');
  expect(await failureOf(longPoll(wrong, asked))).toBe('unreadable');
  expect(await failureOf(longPoll(failing, asked))).toBe('unreadable');
  expect(await failureOf(longPoll(held, { ...asked, signal: aborter.signal }))).toBe('cancelled');
});
