import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import { openMuxPair } from '../testing/mux-pair.ts';
import { RelayStream } from '../testing/relay-stream.ts';
import { MAX_FORWARDS } from './forwarder.ts';

const target = (port: number, host = '127.0.0.1') => ({ mappingId: 1, host, port, transport: 'tcp' as const });

test('a closed port is reported at once as refused', async () => {
  const port = await freePort();
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(port)]);

  const stream = pair.open(target(port));

  expect(await stream.status).toBe('refused');
  await stream.ended;
  stream.end();
  await expect.poll(() => pair.forwarder.openCount).toBe(0);
});

test('a target that was not announced is not dialled', async () => {
  await using service = await startLanService(() => {});
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([{ ...target(service.port), mappingId: 2 }, target(service.port + 1)]);

  expect(await pair.open(target(service.port)).status).toBe('notAllowed');
  expect(service.sockets).toEqual([]);
});

test('a public address is not dialled even when it was announced', async () => {
  await using pair = await openMuxPair();
  for (const host of ['93.184.216.34', '0.0.0.0', '::ffff:8.8.8.8', '2606:4700::1111', '224.0.0.1']) {
    pair.forwarder.setTargets([target(80, host)]);
    expect(await pair.open(target(80, host)).status).toBe('notAllowed');
  }
});

test('a name that resolves to a public address is not dialled', async () => {
  await using pair = await openMuxPair({ resolver: async () => ['198.51.100.1'] });
  pair.forwarder.setTargets([target(80, 'rebinding.example')]);

  expect(await pair.open(target(80, 'rebinding.example')).status).toBe('notAllowed');
});

test.each(['169.254.170.2', '169.254.3.4', 'fe80::1', 'fd00:ec2::23', '::ffff:169.254.170.23', '64:ff9b::a9fe:aa02'])(
  'the credential address %s is not dialled, whatever name resolves to it',
  async (address) => {
    await using pair = await openMuxPair({ resolver: async () => [address] });
    for (const host of [address, 'credentials.lan']) {
      pair.forwarder.setTargets([target(80, host), { ...target(53, host), transport: 'udp' }]);
      expect(await pair.open(target(80, host)).status).toBe('notAllowed');
      expect(await pair.open(target(53, host), { kind: 'udp' }).status).toBe('notAllowed');
    }
  },
);

test('of several addresses of a name, a link-local one is skipped', async () => {
  await using service = await startLanService((socket) => socket.end('here'));
  await using pair = await openMuxPair({ resolver: async () => ['fe80::1%lo', '169.254.3.4', '127.0.0.1'] });
  pair.forwarder.setTargets([target(service.port, 'nas.local')]);

  const stream = pair.open(target(service.port, 'nas.local'));

  await stream.ended;
  expect(stream.text).toBe('here');
});

test('a name is resolved once, so that a second answer cannot lead elsewhere', async () => {
  await using service = await startLanService((socket) => socket.end('from the LAN'));
  const answers = [['127.0.0.1'], ['198.51.100.1']];
  let asked = 0;
  await using pair = await openMuxPair({ resolver: async () => answers[asked++] ?? [] });
  pair.forwarder.setTargets([target(service.port, 'nas.lan')]);

  const stream = pair.open(target(service.port, 'nas.lan'));

  await stream.ended;
  expect(stream.text).toBe('from the LAN');
  expect(asked).toBe(1);
});

test('of several addresses of a name, public ones are skipped and the first that answers is used', async () => {
  await using service = await startLanService((socket) => socket.end('here'));
  await using pair = await openMuxPair({ resolver: async () => ['198.51.100.1', '127.0.0.2', '127.0.0.1'] });
  pair.forwarder.setTargets([target(service.port, 'nas.lan')]);

  const stream = pair.open(target(service.port, 'nas.lan'));

  await stream.ended;
  expect(stream.text).toBe('here');
});

test('an unknown name is reported as not found', async () => {
  const resolver = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
  await using pair = await openMuxPair({ resolver });
  pair.forwarder.setTargets([target(80, 'nobody.lan')]);

  expect(await pair.open(target(80, 'nobody.lan')).status).toBe('notFound');
});

test('a target without TLS is reported as such', async () => {
  await using service = await startLanService((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  expect(await pair.open(target(service.port), { kind: 'tls' }).status).toBe('tlsFailed');
});

test('a target that is removed from the list loses its open connections', async () => {
  await using service = await startLanService((socket) => socket.pipe(socket));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port), { first: Buffer.from('x') });
  await stream.whenReceived(1);

  pair.forwarder.setTargets([]);

  await stream.reset;
});

test('a stream that does not begin with an open request is reset', async () => {
  await using pair = await openMuxPair();
  const bad = new RelayStream(pair.relay);
  bad.write(Buffer.from('GET / HTTP/1.1\r\nHost: nas.example.com\r\n\r\n'.repeat(20)));
  await bad.reset;
});

test('the limit of open streams counts those of all connections of a session', async () => {
  await using one = await openMuxPair();
  await using other = await openMuxPair({ forwarder: one.forwarder });
  const opened = Array.from({ length: MAX_FORWARDS }, (_, n) => new RelayStream((n % 2 === 0 ? one : other).relay));
  await expect.poll(() => one.forwarder.openCount).toBe(MAX_FORWARDS);

  await new RelayStream(other.relay).reset;

  opened[0]?.stream.reset();
  await expect.poll(() => one.forwarder.openCount).toBe(MAX_FORWARDS - 1);
  void new RelayStream(other.relay);
  await expect.poll(() => one.forwarder.openCount).toBe(MAX_FORWARDS);
});
