import { freePort } from '@tongtu/base/testing/free-port';
import { DatagramDecoder, encodeDatagram } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { openMuxPair } from '../testing/mux-pair.ts';
import type { RelayStream } from '../testing/relay-stream.ts';
import { sendBack, startUdpService } from '../testing/udp-service.ts';

const KB = 1024;
const target = (port: number, host = '127.0.0.1') => ({ mappingId: 1, host, port, transport: 'udp' as const });
const say = (...texts: string[]) => Buffer.concat(texts.map((text) => encodeDatagram(Buffer.from(text))));
const datagramsOf = (stream: RelayStream) => new DatagramDecoder().push(stream.bytes).map(String);

test('a datagram in the same frame as the open request is answered, each one by itself', async () => {
  await using service = await startUdpService(sendBack);
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port), { kind: 'udp', first: say('A nas.lan?') });
  expect(await stream.status).toBe('connected');
  stream.write(say('', 'AAAA nas.lan?'));
  await expect.poll(() => datagramsOf(stream)).toEqual(['A nas.lan?', '', 'AAAA nas.lan?']);
});

test('the largest datagrams pass both ways', async () => {
  await using service = await startUdpService(sendBack);
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const largest = 'x'.repeat(65_507);
  const stream = pair.open(target(service.port), { kind: 'udp', first: say(largest) });
  await expect.poll(() => datagramsOf(stream)).toEqual([largest]);
});

test('a service on IPv6 is reached', async () => {
  await using service = await startUdpService(sendBack, '::1');
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port, '::1')]);
  const stream = pair.open(target(service.port, '::1'), { kind: 'udp', first: say('hello') });
  await expect.poll(() => datagramsOf(stream)).toEqual(['hello']);
});

test('datagrams of other senders to the port of a conversation are dropped', async () => {
  await using service = await startUdpService(sendBack);
  await using other = await startUdpService();
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port), { kind: 'udp', first: say('first') });
  await stream.status;
  other.socket.send('forged', service.from[0]!.port, '127.0.0.1');
  stream.write(say('second'));
  await expect.poll(() => datagramsOf(stream)).toEqual(['first', 'second']);
});

test('a service that refuses is reported as such', async () => {
  const port = await freePort();
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(port)]);
  const stream = pair.open(target(port), { kind: 'udp', first: say('anybody?') });
  expect(await stream.status).toBe('refused');
  await stream.ended;
  stream.end();
  await expect.poll(() => pair.forwarder.openCount).toBe(0);
});

test('a service that goes away ends its conversation', async () => {
  await using pair = await openMuxPair();
  let stream: RelayStream;
  {
    await using service = await startUdpService(sendBack);
    pair.forwarder.setTargets([target(service.port)]);
    stream = pair.open(target(service.port), { kind: 'udp', first: say('here?') });
    await stream.status;
  }
  stream.write(say('still here?'));
  await stream.ended;
});

test.each([
  ['tcp', 'udp'],
  ['udp', 'tcp'],
] as const)('a target announced for %s is not reached over %s', async (announced, kind) => {
  await using service = await startUdpService();
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([{ ...target(service.port), transport: announced }]);
  expect(await pair.open(target(service.port), { kind, first: say('hello') }).status).toBe('notAllowed');
  expect(service.received).toEqual([]);
});

test('a public address is not reached', async () => {
  await using pair = await openMuxPair({ resolver: async () => ['198.51.100.1'] });
  for (const host of ['198.51.100.1', '255.255.255.255', 'rebinding.example']) {
    pair.forwarder.setTargets([target(53, host)]);
    expect(await pair.open(target(53, host), { kind: 'udp', first: say('x') }).status).toBe('notAllowed');
  }
});

test('datagrams that arrive while a name is resolved are kept, up to a limit', async () => {
  await using service = await startUdpService();
  let resolve!: (addresses: string[]) => void;
  await using pair = await openMuxPair({ resolver: () => new Promise((found) => (resolve = found)) });
  pair.forwarder.setTargets([target(service.port, 'dns.lan')]);
  const stream = pair.open(target(service.port, 'dns.lan'), { kind: 'udp', first: say('1') });
  stream.write(say(...Array.from({ length: 30 }, (_, index) => String(index + 2))));
  await pair.relay.ping(); // behind the datagrams
  resolve(['127.0.0.1']);
  await expect.poll(() => service.received).toHaveLength(16);
  expect(service.received.map(String)).toEqual(Array.from({ length: 16 }, (_, index) => String(index + 1)));
});

test('a relay that does not read loses datagrams, blocks no other stream, and receives later ones', async () => {
  await using service = await startUdpService();
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port), { kind: 'udp', first: say('begin') });
  stream.isReading = false;
  await expect.poll(() => service.from).toHaveLength(1);
  const { port } = service.from[0]!;
  const large = Buffer.alloc(32 * KB);
  for (let sent = 0; sent < 64; sent++) {
    service.socket.send(large, port, '127.0.0.1');
    await new Promise((resolve) => setImmediate(resolve));
  }
  await stream.whenReceived(256 * KB - 1);
  expect(stream.receivedBytes).toBeLessThanOrEqual(256 * KB);

  stream.startReading();
  // One window, and the queue of the agent.
  await stream.whenReceived(300 * KB);
  service.socket.send('later', port, '127.0.0.1');
  await expect.poll(() => datagramsOf(stream).at(-1)).toBe('later');
  expect(stream.receivedBytes).toBeLessThan(512 * KB);
});

test('a reset by the relay, and the removal of the target from the list, end the conversation', async () => {
  await using service = await startUdpService(sendBack);
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const one = pair.open(target(service.port), { kind: 'udp', first: say('one') });
  const two = pair.open(target(service.port), { kind: 'udp', first: say('two') });
  await Promise.all([one.status, two.status]);
  one.stream.reset();
  await expect.poll(() => pair.forwarder.openCount).toBe(1);
  pair.forwarder.setTargets([]);
  await two.reset;
  expect(pair.forwarder.openCount).toBe(0);
});
