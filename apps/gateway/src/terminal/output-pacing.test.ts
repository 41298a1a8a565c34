import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { OutputPacing } from './output-pacing.ts';

/** A browser that takes a message when the test says so. */
function createBrowser() {
  const messages: Buffer[] = [];
  const taken: (() => void)[] = [];
  const socket = {
    ...{ OPEN: 1, readyState: 1, bufferedAmount: 0 },
    send: (bytes: Buffer, _options: object, onTaken: () => void) => {
      messages.push(bytes);
      taken.push(onTaken);
    },
  } as Partial<WebSocket> as WebSocket; // all that is used of it
  const pacing = new OutputPacing(socket, () => {});
  return { pacing, messages, take: () => taken.shift()?.() };
}

test('output that comes together is one message', async () => {
  const { pacing, messages } = createBrowser();
  for (let count = 0; count < 10_000; count++) pacing.send(Buffer.from('x'));
  await setImmediate();
  expect(messages.map(String)).toEqual(['x'.repeat(10_000)]);
});

test('a target that sends byte by byte to a browser that takes nothing has few messages on their way', async () => {
  const { pacing, messages, take } = createBrowser();
  const sent = Array.from({ length: 1_000 }, (_, index) => String(index % 10));
  for (const digit of sent) {
    pacing.send(Buffer.from(digit));
    await setImmediate();
  }
  expect(messages.length).toBe(64);
  take();
  expect(messages.length).toBe(65);
  expect(Buffer.concat(messages).toString()).toBe(sent.join(''));
});

test('what must not overtake the output flushes it first', () => {
  const { pacing, messages } = createBrowser();
  pacing.send(Buffer.from('last words'));
  pacing.flush();
  expect(messages.map(String)).toEqual(['last words']);
});
