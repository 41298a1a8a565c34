import { type AddressInfo, createServer, type Server } from 'node:net';
import type { UsageEntry } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { FakeServer } from '../testing/fake-server.ts';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

/** Answers each request on a connection with so many bytes, and counts what goes over its sockets. */
async function startCountingService(bodyBytes: number) {
  const counted = { bytesIn: 0, bytesOut: 0 };
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      counted.bytesIn += chunk.length;
      const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${bodyBytes}\r\n\r\n${'x'.repeat(bodyBytes)}`;
      counted.bytesOut += answer.length;
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    counted,
    port: (server.address() as AddressInfo).port, // it listens on TCP
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A long limit, so that a slow machine does not lose the last report of a stop. */
const patient = { usageLastReportMs: 60_000 };

/** What a server that counts each sequence once has stored of a mapping. A number that is used twice must say the same. */
function entriesOf(server: FakeServer, mappingId: number | undefined): UsageEntry[] {
  const bySequence = new Map<number, { text: string; entries: UsageEntry[] }>();
  for (const message of server.received) {
    if (message.type !== 'usage') continue;
    const text = JSON.stringify(message);
    expect(bySequence.get(message.sequence)?.text ?? text).toBe(text);
    bySequence.set(message.sequence, { text, entries: message.entries });
  }
  return [...bySequence.values()].flatMap(({ entries }) => entries).filter((entry) => entry.mappingId === mappingId);
}

function stored(server: FakeServer, mappingId: number | undefined) {
  const sum = { bytesIn: 0, bytesOut: 0 };
  for (const entry of entriesOf(server, mappingId)) {
    sum.bytesIn += entry.bytesIn;
    sum.bytesOut += entry.bytesOut;
  }
  return sum;
}

async function get(port: number, host: string, times = 1): Promise<void> {
  await using visitor = openRawClient(port);
  for (let time = 0; time < times; time++) {
    visitor.clear();
    visitor.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await visitor.until(/x{100}$/);
  }
}

test('exactly the bytes that go over the LAN connections are counted, each once', async () => {
  await using lan = await startCountingService(1_000);
  await using t = await startTestRelay({ usageReportMs: 10 });
  const key = createAgentKey();
  const device = testDevice(key, { 'a.localhost': lan.port, 'b.localhost': lan.port });
  await t.connectDevice(device, key);
  await get(t.relay.httpPort, 'a.localhost', 3);
  const mappingId = device.routes[0]?.mappingId;
  await expect.poll(() => stored(t.server, mappingId)).toEqual(lan.counted);
  expect(stored(t.server, device.routes[1]?.mappingId)).toEqual({ bytesIn: 0, bytesOut: 0 });
});

test('after lost answers, lost connections and a stop nothing is lost or counted twice', async () => {
  await using lan = await startCountingService(500);
  const key = createAgentKey();
  const device = testDevice(key, { 'a.localhost': lan.port });
  const mappingId = device.routes[0]?.mappingId;
  let server: FakeServer;
  {
    await using t = await startTestRelay({ ...patient, usageReportMs: 10, reconnectFirstMs: 1, reconnectMaxMs: 5 });
    server = t.server;
    await t.connectDevice(device, key);
    for (let round = 0; round < 4; round++) {
      server.storesUsage = false;
      await get(t.relay.httpPort, 'a.localhost', 2);
      const reports = () => server.received.filter((message) => message.type === 'usage').length;
      const before = reports();
      await expect.poll(() => reports()).toBeGreaterThan(before);
      const hellos = server.received.filter((message) => message.type === 'hello').length;
      server.dropRelay();
      await get(t.relay.httpPort, 'a.localhost', 2);
      await expect
        .poll(() => server.received.filter((message) => message.type === 'hello').length)
        .toBeGreaterThan(hellos);
      server.storesUsage = true;
      await get(t.relay.httpPort, 'a.localhost');
    }
  }
  expect(stored(server, mappingId)).toEqual(lan.counted);
});

test('requests, their outcomes and the time to their first byte are counted', async () => {
  await using lan = await startLanService((request, response) => {
    const status = Number(request.url?.slice(1));
    if (status === 0) response.writeHead(200, { 'content-length': 100 }).write('cut', () => request.socket.destroy());
    else response.writeHead(status).end();
  });
  await using t = await startTestRelay({ usageReportMs: 10 });
  const key = createAgentKey();
  // Nothing listens behind the second mapping.
  const device = testDevice(key, { 'a.localhost': lan.port, 'closed.localhost': 9 });
  await t.connectDevice(device, key);
  for (const [host, path] of [
    ...['200', '301', '404', '403', '410', '503'].map((status) => ['a.localhost', status]),
    ['a.localhost', '000'],
    ['closed.localhost', '200'],
  ]) {
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send(`GET /${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await visitor.untilEnd();
  }
  const counted = (at: number) => {
    const sum = { requests: 0, ok: 0, clientErrors: 0, serverErrors: 0, failed: 0, answered: 0, firstByteMs: 0 };
    for (const entry of entriesOf(t.server, device.routes[at]?.mappingId))
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += entry[name];
    return sum;
  };
  const positive = expect.toSatisfy((ms: number) => ms > 0);
  const answers = { ok: 3, clientErrors: 3, serverErrors: 1, answered: 7, firstByteMs: positive };
  // The one that was cut had been answered before.
  await expect.poll(() => counted(0)).toEqual({ requests: 7, failed: 1, ...answers });
  const none = { ok: 0, clientErrors: 0, serverErrors: 0, answered: 0, firstByteMs: 0 };
  await expect.poll(() => counted(1)).toEqual({ requests: 1, failed: 1, ...none });
});

test('an answer that HTTP/2 cannot carry is counted as an answer', async () => {
  await using lan = await startLanService((_request, response) =>
    response.writeHead(401, { 'WWW-Authenticate': 'NTLM' }).end(),
  );
  await using t = await startTestRelay({ usageReportMs: 10 });
  const key = createAgentKey();
  const device = testDevice(key, { 'a.localhost': lan.port });
  await t.connectDevice(device, key);
  await using visitor = new Http2Client(t.relay.tlsPort, 'a.localhost');
  await visitor.fetch('/');
  const sum = (name: 'requests' | 'clientErrors' | 'failed') =>
    entriesOf(t.server, device.routes[0]?.mappingId).reduce((total, entry) => total + entry[name], 0);
  await expect.poll(() => [sum('requests'), sum('clientErrors'), sum('failed')]).toEqual([1, 1, 0]);
});

test('at a stop the last bytes are reported before the line to the server closes', async () => {
  await using lan = await startCountingService(500);
  const key = createAgentKey();
  const device = testDevice(key, { 'a.localhost': lan.port });
  let server: FakeServer;
  {
    await using t = await startTestRelay({ ...patient, usageReportMs: 1_000_000 });
    server = t.server;
    await t.connectDevice(device, key);
    await get(t.relay.httpPort, 'a.localhost', 2);
  }
  expect(stored(server, device.routes[0]?.mappingId)).toEqual(lan.counted);
});
