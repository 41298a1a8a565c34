import { once } from 'node:events';
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { freePort } from '@tongtu/base/testing/free-port';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { endOf, isOpen, startTcpService, visitPort } from '../testing/port-services.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

function tcpDevice(targetPort: number, port: number) {
  const key = createAgentKey();
  return { key, device: testDevice(key, { '': targetPort }, { kind: 'tcp', port }) };
}

test('one address has a limit of connections over all ports', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using t = await startTestRelay({ maxConnectionsPerVisitorIp: 1 });
  const ports = [await freePort(), await freePort()] as const;
  for (const port of ports) {
    const { key, device } = tcpDevice(service.port, port);
    await t.connectDevice(device, key);
  }
  const first = await visitPort(ports[0]);
  await once(first, 'data');
  expect(await endOf(await visitPort(ports[1]))).toBe('ECONNRESET');
  first.resetAndDestroy();
});

test('an idle connection ends', async () => {
  await using service = await startTcpService();
  await using t = await startTestRelay({ rawIdleMs: 50 });
  const port = await freePort();
  const { key, device } = tcpDevice(service.port, port);
  await t.connectDevice(device, key);
  expect(await endOf(await visitPort(port))).toBe('ECONNRESET');
});

test('a half-closed idle connection ends sooner', async () => {
  await using service = await startTcpService((socket) => {
    socket.write('hello');
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
  });
  await using t = await startTestRelay({ rawHalfClosedMs: 50 });
  const port = await freePort();
  const { key, device } = tcpDevice(service.port, port);
  await t.connectDevice(device, key);
  const [silent, halfClosed] = [await visitPort(port), await visitPort(port)];
  await Promise.all([once(silent, 'data'), once(halfClosed, 'data')]);
  const end = endOf(halfClosed);
  halfClosed.end();
  expect(await end).toBe('ECONNRESET');
  const answer = once(silent, 'data');
  silent.write('still here');
  expect(String((await answer)[0])).toBe('still here');
  silent.destroy();
});

test('a relay that stops takes no new connection and lets an open one finish', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using t = await startTestRelay({ drainMs: 10_000 });
  const port = await freePort();
  const { key, device } = tcpDevice(service.port, port);
  await t.connectDevice(device, key);
  const visitor = await visitPort(port);
  await once(visitor, 'data');
  const stopped = t.relay[Symbol.asyncDispose]();
  await expect.poll(() => isOpen(port)).toBe(false);
  const answer = once(visitor, 'data');
  service.sockets[0]?.end('goodbye');
  expect(String((await answer)[0])).toBe('goodbye');
  visitor.end();
  await stopped;
});

test('connections that are still open at the end of the drain time are cut', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using t = await startTestRelay({ drainMs: 50 });
  const port = await freePort();
  const { key, device } = tcpDevice(service.port, port);
  await t.connectDevice(device, key);
  const visitor = await visitPort(port);
  await once(visitor, 'data');
  const end = endOf(visitor);
  await t.relay[Symbol.asyncDispose]();
  expect(await end).toBe('ECONNRESET');
});

test('a port that another program has is logged once, retried, and reported to a probe of the mapping', async () => {
  const port = await freePort();
  const squatter = createServer().listen(port, '127.0.0.1');
  await once(squatter, 'listening');
  const log = new PassThrough();
  const lines: string[] = [];
  log.on('data', (line: Buffer) => lines.push(...line.toString().split('\n').filter(Boolean)));
  await using service = await startTcpService((socket) => socket.end('here'));
  await using t = await startTestRelay({ portRetryFirstMs: 5, portRetryMaxMs: 10 }, pino(log));
  const { key, device } = tcpDevice(service.port, port);
  const onProbe = ({ correlation }: { correlation: number }) =>
    ({ type: 'probe_result', correlation, ok: true, step: 'tcp', ms: 1, seen: 'connected' }) as const;
  await t.connectDevice(device, key, { onProbe });
  const mappingId = device.routes[0]!.mappingId;
  let correlation = 0;
  const probe = async () => {
    const asked = ++correlation;
    t.server.send({ type: 'probe', correlation: asked, deviceId: device.deviceId, mappingId });
    return (await t.server.waitFor('probe_result', (answer) => answer.correlation === asked)).result;
  };
  const refused = { ok: false, step: 'relay', ms: 0, seen: 'port_in_use' };
  await expect.poll(probe).toEqual(refused);

  squatter.close();
  await expect.poll(probe).toMatchObject({ ok: true, seen: 'connected' });
  const visitor = await visitPort(port);
  expect(String((await once(visitor, 'data'))[0])).toBe('here');
  const logged = lines
    .map((line) => JSON.parse(line) as { msg: string })
    .filter(({ msg }) => msg.includes('public port'));
  expect(logged).toMatchObject([
    { port, kind: 'tcp', msg: 'public port cannot be opened; trying again' },
    { port, kind: 'tcp', msg: 'public port is open now' },
  ]);
});

test('the PROXY header reaches the target before the visitor’s first byte', async () => {
  const port = await freePort();
  const received: Buffer[] = [];
  await using service = await startTcpService((socket) => socket.on('data', (chunk: Buffer) => received.push(chunk)));
  await using t = await startTestRelay();
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { '': service.port }, { kind: 'tcp', port, proxyProtocol: true }), key);
  const visitor = await visitPort(port);
  const expected = Buffer.concat([
    Buffer.from('0d0a0d0a000d0a515549540a2111000c7f0000017f000001', 'hex'),
    Buffer.of(visitor.localPort! >> 8, visitor.localPort! & 255, port >> 8, port & 255),
    Buffer.from('GET'),
  ]);
  visitor.write('GET');
  await expect.poll(() => Buffer.concat(received).length).toBe(expected.length);
  expect(Buffer.concat(received)).toEqual(expected);
  visitor.destroy();
});
