import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { openRawClient, type RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const BITS_PER_SECOND = 16_000_000;
const BURST_BYTES = 500_000;
const HEADS_BYTES = 4_096;
const BODY = Buffer.alloc(1_500_000, 'tongtu');

/** Watches what some visitors receive together, from now on; it may never be more than the rate allows by then. */
function watchTogether(visitors: readonly RawClient[]) {
  const startedAtMs = performance.now();
  const watch = { bytes: 0, mostAheadBytes: 0 };
  for (const { socket } of visitors) {
    socket.on('data', (chunk: Buffer) => {
      const allowedBytes = BURST_BYTES + HEADS_BYTES + ((performance.now() - startedAtMs) * BITS_PER_SECOND) / 8_000;
      watch.bytes += chunk.length;
      watch.mostAheadBytes = Math.max(watch.mostAheadBytes, watch.bytes - allowedBytes);
    });
  }
  return watch;
}

async function startShapedDevice(bandwidthBps: number | null) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const lan = stack.use(
    await startLanService((request, response) => {
      if (request.method === 'GET') return void response.end(BODY);
      const hash = createHash('sha256');
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      request.on('end', () => response.end(`${bytes} ${hash.digest('hex')}`));
    }),
  );
  const key = createAgentKey();
  const device = { ...testDevice(key, { 'a.localhost': lan.port, 'b.localhost': lan.port }), bandwidthBps };
  await t.connectDevice(device, key);
  return {
    t,
    device,
    openVisitor: () => stack.use(openRawClient(t.relay.httpPort)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const get = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

test('downloads of all mappings of a device together keep its bandwidth, and arrive unchanged', async () => {
  await using shaped = await startShapedDevice(BITS_PER_SECOND);
  const visitors = [shaped.openVisitor(), shaped.openVisitor(), shaped.openVisitor()];
  const watch = watchTogether(visitors);
  for (const [at, visitor] of visitors.entries()) visitor.send(get(at === 1 ? 'b.localhost' : 'a.localhost'));
  const answers = await Promise.all(visitors.map((visitor) => visitor.untilEnd()));
  expect(watch.mostAheadBytes).toBe(0);
  for (const answer of answers) expect(Buffer.from(bodyOf(answer), 'latin1').equals(BODY)).toBe(true);
});

test('an upload is forwarded no faster than the bandwidth, and arrives unchanged', async () => {
  await using shaped = await startShapedDevice(BITS_PER_SECOND);
  const startedAtMs = performance.now();
  const visitor = shaped.openVisitor();
  visitor.send(
    `POST / HTTP/1.1\r\nHost: a.localhost\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${String(BODY)}`,
  );
  const answer = await visitor.untilEnd();
  // The service has had all of it by now, so at least this time has passed.
  const leastMs = ((BODY.length - BURST_BYTES) * 8_000) / BITS_PER_SECOND;
  expect(performance.now() - startedAtMs).toBeGreaterThan(leastMs);
  expect(bodyOf(answer)).toBe(`${BODY.length} ${createHash('sha256').update(BODY).digest('hex')}`);
});

test('a slow download finishes when its limit is removed', async () => {
  // At this rate the download would take hours.
  await using shaped = await startShapedDevice(1_000);
  const visitor = shaped.openVisitor();
  visitor.send(get('a.localhost'));
  await visitor.until(/\r\n\r\n/);
  shaped.t.server.put({ ...shaped.device, bandwidthBps: null });
  expect(bodyOf(await visitor.untilEnd())).toHaveLength(BODY.length);
});
