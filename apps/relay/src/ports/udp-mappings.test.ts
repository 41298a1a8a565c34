import { freePort } from '@tongtu/base/testing/free-port';
import type { Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { RelayLimits } from '../config/relay-limits.ts';
import { openUdpPeer, startUdpEcho, type UdpPeer } from '../testing/port-services.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import type { TestAgentOptions } from '../testing/test-agent.ts';

type HouseOptions = { limits?: Partial<RelayLimits>; route?: Partial<Route>; agent?: Partial<TestAgentOptions> };

/** A device with one UDP mapping to the service. */
async function openHouse(service: { port: number }, { limits, route, agent: agentOptions }: HouseOptions = {}) {
  const t = await startTestRelay(limits);
  const port = await freePort();
  const key = createAgentKey();
  const device = testDevice(key, { '': service.port }, { kind: 'udp', port, ...route });
  const agent = await t.connectDevice(device, key, agentOptions);
  return { t, port, device, agent, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

async function probe({ t, device }: Awaited<ReturnType<typeof openHouse>>, correlation: number) {
  const { mappingId } = device.routes[0]!;
  t.server.send({ type: 'probe', correlation, deviceId: device.deviceId, mappingId });
  return (await t.server.waitFor('probe_result', (answer) => answer.correlation === correlation)).result;
}

/** Sends until it is answered: a port may be about to open, and UDP promises nothing. */
async function ask(visitor: UdpPeer, port: number, question: string): Promise<void> {
  await expect
    .poll(() => {
      visitor.socket.send(question, port, '127.0.0.1');
      return visitor.received.includes(question);
    })
    .toBe(true);
}

test('an agent without the feature udp gets no UDP stream, and keeps its connection', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service, { agent: { features: [] }, limits: { usageReportMs: 10 } });
  await using visitor = await openUdpPeer();
  const sent = setInterval(() => visitor.socket.send('anybody?', house.port, '127.0.0.1'), 10);
  await house.t.server.waitFor('usage', ({ entries }) => entries.some(({ failed }) => failed > 0));
  clearInterval(sent);
  expect(house.agent.opened).toEqual([]);
  expect(house.agent.isClosed).toBe(false);
});

test('the usage of UDP counts the bytes of datagrams', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service, { limits: { usageReportMs: 10 } });
  await using visitor = await openUdpPeer();
  await ask(visitor, house.port, 'x'.repeat(100));
  const sum = { in: 0, out: 0 };
  await house.t.server.waitFor('usage', ({ entries }) => {
    for (const entry of entries) {
      sum.in += entry.bytesIn;
      sum.out += entry.bytesOut;
    }
    return sum.in > 0 && sum.out > 0;
  });
  expect([sum.in % 100, sum.out % 100]).toEqual([0, 0]);
});

test('each visitor gets only its own answers, and its own port at the service', async () => {
  const senders = new Set<number>();
  await using service = await openUdpPeer((datagram, from) => {
    senders.add(from.port);
    service.socket.send(datagram, from.port, from.address);
  });
  await using house = await openHouse(service);
  await using one = await openUdpPeer();
  await using two = await openUdpPeer();
  await ask(one, house.port, 'A nas.lan?');
  await ask(two, house.port, 'AAAA nas.lan?');
  await ask(one, house.port, 'PTR?');
  expect(new Set(one.received)).toEqual(new Set(['A nas.lan?', 'PTR?']));
  expect(new Set(two.received)).toEqual(new Set(['AAAA nas.lan?']));
  expect(senders.size).toBe(2);
});

test('empty datagrams and the largest ones arrive with their boundaries', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service);
  await using visitor = await openUdpPeer();
  const sent = ['', 'x'.repeat(65_507), 'y'];
  for (const datagram of sent) await ask(visitor, house.port, datagram);
  expect(visitor.received.filter((datagram) => !sent.includes(datagram))).toEqual([]);
});

test('nothing is sent to a visitor that has not sent first', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service);
  await using visitor = await openUdpPeer();
  await using bystander = await openUdpPeer();
  await ask(visitor, house.port, 'hello');
  // What the service sends unasked goes to its open conversations.
  expect(bystander.received).toEqual([]);
  expect(house.agent.opened).toHaveLength(1);
});

test('datagrams of anonymous clients are dropped, those of allow-listed addresses pass, and a changed policy ends conversations', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service, { route: { policy: 'owner' } });
  const { t, port, agent } = house;
  const [route] = house.device.routes as [Route];
  // When this conversation gets its answer, all earlier datagrams have been handled.
  const fence: Route = { ...route, mappingId: 1_000_000, port: await freePort(), policy: 'public' };
  const device = { ...house.device, routes: [route, fence] };
  const streamsOf = (mappingId: number) => agent.opened.filter((request) => request.mappingId === mappingId).length;
  await using visitor = await openUdpPeer();
  t.server.put({ ...device, allowList: ['127.0.0.1'] });
  await ask(visitor, port, 'listed');
  await ask(visitor, fence.port!, 'fence');
  expect(agent.mux.streamCount).toBe(3);

  t.server.put(device);
  await expect.poll(() => agent.mux.streamCount).toBe(2);
  const before = streamsOf(route.mappingId);
  visitor.socket.send('anonymous', port, '127.0.0.1');
  await ask(visitor, fence.port!, 'fence again');
  expect(streamsOf(route.mappingId)).toBe(before);
  expect(visitor.received).not.toContain('anonymous');
});

test('an idle conversation ends at both sides, and the next datagram begins another one', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service, { limits: { udpIdleMs: 50 } });
  await using visitor = await openUdpPeer();
  await ask(visitor, house.port, 'first');
  await expect.poll(() => house.agent.mux.streamCount).toBe(1);
  await ask(visitor, house.port, 'second');
  expect(house.agent.opened.length).toBeGreaterThan(1);
});

test('a service that refuses a datagram ends the conversation, not the mapping', async () => {
  await using service = await startUdpEcho();
  let refusals = 0;
  const onOpen = () => (refusals++ === 0 ? ('refused' as const) : undefined);
  await using house = await openHouse(service, { agent: { onOpen } });
  await using visitor = await openUdpPeer();
  await ask(visitor, house.port, 'anybody?');
  expect(refusals).toBeGreaterThan(1);
});

test('at its limit an address gives up the conversation that has been idle for longest, which is reported', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service, { limits: { maxConversationsPerVisitor: 2 } });
  const { port, agent } = house;
  await using one = await openUdpPeer();
  await using two = await openUdpPeer();
  await using three = await openUdpPeer();
  await ask(one, port, 'one');
  await ask(two, port, 'two');
  await ask(one, port, 'one again');
  expect((await probe(house, 1)).wasFull).toBeUndefined();
  await ask(three, port, 'three');
  await expect.poll(() => agent.mux.streamCount).toBe(3); // with the connection's own
  const opened = agent.opened.length;
  await ask(one, port, 'one goes on');
  expect(agent.opened).toHaveLength(opened);
  await ask(two, port, 'two comes back');
  expect(agent.opened).toHaveLength(opened + 1);
  expect((await probe(house, 2)).wasFull).toBe(true);
});

test('hundreds of questions from new ports of one address are all answered', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service);
  await using first = await openUdpPeer();
  await ask(first, house.port, 'ready?');
  let answers = 0;
  for (let turn = 0; turn < 12; turn++) {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openUdpPeer(() => answers++)));
    for (const { socket } of sockets) socket.send('question', house.port, '127.0.0.1');
    await expect.poll(() => answers).toBe((turn + 1) * 50);
    for (const { socket } of sockets) socket.close();
  }
});

test('a visitor whose conversations use up its streams at a device gives up its own', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service, { limits: { maxConversationsPerVisitor: 2 } });
  const { t, device } = house;
  const [route] = device.routes as [Route];
  const other: Route = { ...route, mappingId: 1_000_000, port: await freePort() };
  t.server.put({ ...device, routes: [route, other] });
  await using one = await openUdpPeer();
  await using two = await openUdpPeer();
  await using three = await openUdpPeer();
  await ask(one, house.port, 'one');
  await ask(two, other.port!, 'two');
  await ask(three, other.port!, 'three');
  await ask(one, house.port, 'one goes on');
});

test('a removed mapping closes its port and ends its conversations', async () => {
  await using service = await startUdpEcho();
  await using house = await openHouse(service);
  await using visitor = await openUdpPeer();
  await ask(visitor, house.port, 'hello');
  house.t.server.put({ ...house.device, routes: [] });
  await expect.poll(() => house.agent.mux.streamCount).toBe(1);
  // A port that is closed can be had by others.
  await expect
    .poll(async () => {
      await using other = await openUdpPeer(() => {}, house.port);
      return other.port;
    })
    .toBe(house.port);
});

test('a flood that the service does not read is dropped, and slows neither the tunnel nor the relay', async () => {
  await using web = await startLanService((_request, response) => response.end('web'));
  const onOpen: TestAgentOptions['onOpen'] = ({ kind }) => (kind === 'udp' ? 'silent' : undefined);
  await using house = await openHouse(web, { agent: { onOpen }, limits: { usageReportMs: 20 } });
  const { t, device, agent, port } = house;
  const [udp] = device.routes as [Route];
  const page: Route = { ...udp, mappingId: 1_000_000, kind: 'http', host: 'web.localhost', port: null };
  t.server.put({ ...device, routes: [udp, page] });
  await using visitor = await openUdpPeer();
  await expect
    .poll(() => {
      visitor.socket.send('first', port, '127.0.0.1');
      return agent.opened.length;
    })
    .toBe(1);
  const large = Buffer.alloc(60_000);
  for (let sent = 0; sent < 200; sent++) {
    visitor.socket.send(large, port, '127.0.0.1');
    await new Promise((resolve) => setImmediate(resolve)); // the system keeps few of them for the relay
  }
  await using client = openRawClient(t.relay.httpPort);
  client.send('GET / HTTP/1.1\r\nHost: web.localhost\r\n\r\n');
  expect(await client.until(/web$/)).toMatch(/^HTTP\/1\.1 200 /);
  const acceptedBytes = () =>
    t.server.received
      .flatMap((message) => (message.type === 'usage' ? message.entries : []))
      .filter(({ mappingId }) => mappingId === udp.mappingId)
      .reduce((sum, { bytesIn }) => sum + bytesIn, 0);
  await expect.poll(acceptedBytes).toBeGreaterThan(256 * 1024);
  // One window and as much in the queue; on a slow machine another conversation may have followed the first.
  // The agent learns of that one later than the relay counts its bytes.
  const conversations = () => agent.opened.filter(({ kind }) => kind === 'udp').length;
  await expect.poll(() => acceptedBytes() < conversations() * 700 * 1024).toBe(true);
});
