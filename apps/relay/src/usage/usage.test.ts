import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { FakeServer } from '../testing/fake-server.ts';
import { openRawClient } from '../testing/raw-client.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

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

/** What a server that counts each sequence once has stored of a mapping. A number that is used twice must say the same. */
function stored(server: FakeServer, mappingId: number) {
  const bySequence = new Map<number, string>();
  const sum = { bytesIn: 0, bytesOut: 0 };
  for (const message of server.received) {
    if (message.type !== 'usage') continue;
    const text = JSON.stringify(message);
    if (bySequence.has(message.sequence)) expect(text).toBe(bySequence.get(message.sequence));
    else
      for (const entry of message.entries) {
        if (entry.mappingId !== mappingId) continue;
        sum.bytesIn += entry.bytesIn;
        sum.bytesOut += entry.bytesOut;
      }
    bySequence.set(message.sequence, text);
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
  const { mappingId } = device.routes[0]!; // one route for each host
  await vi.waitFor(() => expect(stored(t.server, mappingId)).toEqual(lan.counted));
  expect(stored(t.server, device.routes[1]!.mappingId)).toEqual({ bytesIn: 0, bytesOut: 0 });
});

test('over lost answers, lost connections and a stop nothing is lost and nothing counted twice', async () => {
  await using lan = await startCountingService(500);
  const key = createAgentKey();
  const device = testDevice(key, { 'a.localhost': lan.port });
  const { mappingId } = device.routes[0]!; // one route for each host
  let server: FakeServer;
  {
    await using t = await startTestRelay({ usageReportMs: 10, reconnectFirstMs: 1, reconnectMaxMs: 5 });
    server = t.server;
    await t.connectDevice(device, key);
    for (let round = 0; round < 4; round++) {
      server.storesUsage = false;
      await get(t.relay.httpPort, 'a.localhost', 2);
      const reports = () => server.received.filter((message) => message.type === 'usage').length;
      const before = reports();
      await vi.waitFor(() => expect(reports()).toBeGreaterThan(before));
      const hellos = server.received.filter((message) => message.type === 'hello').length;
      server.dropRelay();
      await get(t.relay.httpPort, 'a.localhost', 2);
      await vi.waitFor(() =>
        expect(server.received.filter((message) => message.type === 'hello').length).toBeGreaterThan(hellos),
      );
      server.storesUsage = true;
      await get(t.relay.httpPort, 'a.localhost');
    }
  }
  expect(stored(server, mappingId)).toEqual(lan.counted);
});

test('at a stop the last bytes are reported before the line to the server closes', async () => {
  await using lan = await startCountingService(500);
  const key = createAgentKey();
  const device = testDevice(key, { 'a.localhost': lan.port });
  let server: FakeServer;
  {
    await using t = await startTestRelay({ usageReportMs: 1_000_000 });
    server = t.server;
    await t.connectDevice(device, key);
    await get(t.relay.httpPort, 'a.localhost', 2);
  }
  expect(stored(server, device.routes[0]!.mappingId)).toEqual(lan.counted);
});
