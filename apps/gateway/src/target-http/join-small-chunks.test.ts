import { buffer } from 'node:stream/consumers';
import http from 'node:http';
import { expect, test } from 'vitest';
import { startRawServer } from '../testing/start-raw-server.ts';
import { createTestSession } from '../testing/test-session.ts';
import { tunnelAgents } from './tunnel-agents.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';
const inBytes = (text: string): string => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');

async function answerOf(bytes: string): Promise<http.IncomingMessage> {
  const server = await startRawServer((socket) => socket.once('data', () => socket.write(bytes)));
  const session = createTestSession({ kind: 'aria2', port: server.port });
  const { httpAgent } = tunnelAgents({ session });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get({ host: 'target', agent: httpAgent }).once('response', resolve).once('error', reject);
  const answer = await promise;
  answer.once('close', () => void server[Symbol.asyncDispose]());
  return answer;
}

test('an answer in chunks of one byte each is whole, and read in few pieces', async () => {
  const text = 'x'.repeat(20_000);
  const answer = await answerOf(HEAD + inBytes(text) + END);
  let pieces = 0;
  answer.on('data', () => pieces++);
  expect((await buffer(answer)).toString()).toBe(text);
  expect(pieces).toBeLessThan(1_000); // it depends on how the system cuts what is sent
});

test('small and large chunks keep their order', async () => {
  const large = 'L'.repeat(5_000);
  const answer = await answerOf(`${HEAD}${inBytes('ab')}${(5_000).toString(16)}\r\n${large}\r\n${inBytes('c')}${END}`);
  expect((await buffer(answer)).toString()).toBe(`ab${large}c`);
});

test('an answer without a body ends', async () => {
  expect((await buffer(await answerOf(HEAD + END))).length).toBe(0);
});
