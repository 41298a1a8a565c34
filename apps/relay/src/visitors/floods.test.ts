import { once } from 'node:events';
import { expect, test } from 'vitest';
import { servedPage, startFloodedRelay } from '../testing/flooded-relay.ts';
import { heldBytes } from '@tongtu/base/testing/held-bytes';
import type { RawClient } from '../testing/clients/raw-client.ts';

const MB = 1024 * 1024;
const head = 'POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 100000\r\n\r\n';

/** Sends a text byte by byte, repeatedly, until the visitor is disconnected. */
function drip(visitors: readonly RawClient[], text: string): Disposable {
  let at = 0;
  const timer = setInterval(() => {
    for (const visitor of visitors) if (visitor.socket.writable) visitor.send(text[at % text.length] ?? '');
    at++;
  }, 5);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

test('heads that arrive byte by byte have a time limit (slowloris), and delay nobody meanwhile', async () => {
  await using flood = await startFloodedRelay({ headTimeoutMs: 300 });
  const visitors = flood.openMany(200);
  using _drip = drip(visitors, `GET /${'x'.repeat(10_000)}`);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  const answers = await Promise.all(visitors.map((visitor) => visitor.untilEnd()));
  expect(new Set(answers.map((text) => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
  expect(await flood.visitAsOther()).toMatch(servedPage);
  expect(flood.warnings()).toEqual([]);
});

test('bodies that arrive byte by byte use no more streams than one visitor may have, and release them', async () => {
  await using flood = await startFloodedRelay({ maxStreamsPerVisitor: 20, maxWaitingPerVisitor: 0 });
  const visitors = flood.openMany(60);
  for (const visitor of visitors) visitor.send(head);
  using _drip = drip(visitors, 'body');
  const turnedAway = () => visitors.filter((visitor) => visitor.text.startsWith('HTTP/1.1 429'));
  await expect.poll(() => turnedAway().length).toBe(40);
  await expect.poll(() => flood.agent.opened.length).toBe(20);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  for (const visitor of visitors) visitor.socket.destroy();
  // The control stream, and the one that is kept for the next visitor.
  await expect.poll(() => flood.agent.mux.streamCount).toBeLessThanOrEqual(2);
  expect(await flood.visitAsOther()).toMatch(servedPage);
});

test('connections over the limit of one address are refused and logged once, and nobody else notices', async () => {
  await using flood = await startFloodedRelay({ maxConnectionsPerVisitorIp: 50 });
  const visitors = flood.openMany(400);
  await expect.poll(() => visitors.filter(({ hasEnded }) => hasEnded).length).toBe(350);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  expect(visitors.filter(({ hasEnded }) => hasEnded).every(({ text }) => text.startsWith('HTTP/1.1 429'))).toBe(true);
  expect(flood.warnings()).toEqual(['too many connections: some are turned away']);
  for (const visitor of visitors) visitor.socket.destroy();
  const again = () => {
    const visitor = flood.openHostile();
    visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
    return visitor.untilEnd();
  };
  await expect.poll(again).toMatch(servedPage);
});

test('heads without an end use no more memory than the limit allows, and none once they are closed', async () => {
  await using flood = await startFloodedRelay({ headTimeoutMs: 60_000 });
  const visitors = flood.openMany(300);
  await Promise.all(visitors.map(({ socket }) => once(socket, 'connect')));
  const before = heldBytes();
  const filler = `GET / HTTP/1.1\r\nX: ${'x'.repeat(30_000)}`;
  for (const visitor of visitors) visitor.send(filler);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  // Both sides of every connection are in this process.
  expect(heldBytes() - before).toBeLessThan(300 * 100_000);
  for (const visitor of visitors) visitor.send('x'.repeat(10_000));
  const answers = await Promise.all(visitors.map((visitor) => visitor.until(/\r\n\r\n/)));
  expect(new Set(answers.map((text) => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 431']));
  for (const visitor of visitors) {
    visitor.clear();
    visitor.socket.destroy();
  }
  await expect.poll(() => heldBytes() - before, { interval: 200 }).toBeLessThan(3 * MB);
  expect(flood.warnings()).toEqual([]);
});

test('endless requests on one connection whose answers nobody reads do not pile up', async () => {
  await using flood = await startFloodedRelay();
  const visitor = flood.openHostile();
  await once(visitor.socket, 'connect');
  const before = heldBytes();
  visitor.socket.pause();
  const requests = Buffer.from('GET / HTTP/1.1\r\nHost: nobody.localhost\r\n\r\n'.repeat(1000));
  let sent = 0;
  while (sent < 2000 && visitor.socket.write(requests)) sent++;
  // It is read no further than its answers are taken: the system's buffers are full, and ours are not.
  expect(await flood.visitAsOther()).toMatch(servedPage);
  expect(heldBytes() - before).toBeLessThan(20 * MB);
  visitor.socket.destroy();
  await expect.poll(() => heldBytes() - before, { interval: 200 }).toBeLessThan(3 * MB);
});
