import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import type { Route } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import type { RelayLimits } from '../config/relay-limits.ts';
import { endOf, isOpen, startTcpService, type TcpService, visitPort } from '../testing/port-services.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startTestRelay, testDevice, type TestRelay } from '../testing/start-test-relay.ts';

const MB = 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A connected device with one TCP mapping to the service, whose public port is open. */
async function mapPort(t: TestRelay, service: { port: number }, route: Partial<Route> = {}) {
  const port = await freePort();
  const key = createAgentKey();
  const device = testDevice(key, { '': service.port }, { kind: 'tcp', port, ...route });
  const agent = await t.connectDevice(device, key);
  return { port, device, agent };
}

async function openHouse(
  service: TcpService,
  { limits, route }: { limits?: Partial<RelayLimits>; route?: Partial<Route> },
) {
  const t = await startTestRelay(limits);
  const house = await mapPort(t, service, route);
  return { t, ...house, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'end');
  return Buffer.concat(chunks);
}

afterEach(() => void vi.useRealTimers());

test('a service that sends first reaches the visitor, and the visitor reaches it', async () => {
  await using service = await startTcpService((socket) => {
    socket.write('SSH-2.0-OpenSSH_9.2\r\n');
    socket.once('data', (chunk) => socket.end(`you are ${String(chunk)}`));
  });
  await using house = await openHouse(service, {});
  await using visitor = new RawClient(await visitPort(house.port));
  await visitor.until(/SSH-2\.0-OpenSSH_9\.2\r\n/);
  visitor.send('SSH-2.0-Visitor');
  expect(await visitor.untilEnd()).toBe('SSH-2.0-OpenSSH_9.2\r\nyou are SSH-2.0-Visitor');
});

test('a page at a TCP mapping does not get the cookies of the console, which has the same name', async () => {
  const secret = 'a'.repeat(43);
  await using service = await startTcpService((socket) => {
    socket.once('data', (chunk) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${String(chunk)}`));
  });
  await using house = await openHouse(service, {});
  await using visitor = new RawClient(await visitPort(house.port));
  visitor.send(`GET / HTTP/1.1\r\nHost: localhost:${house.port}\r\nCookie: own=1; sessionid=${secret}\r\n\r\n`);
  const seen = await visitor.untilEnd();
  expect(seen).toContain(`Cookie: own=1; sessionid=${'x'.repeat(43)}\r\n\r\n`);
  expect(seen).not.toContain(secret);
});

test('20 MB pass both ways at once unchanged, and each side ends by itself', async () => {
  const [up, down] = [randomBytes(20 * MB), randomBytes(20 * MB)];
  await using service = await startTcpService();
  await using house = await openHouse(service, {});
  const visitor = await visitPort(house.port);
  const lan = await service.socket(0);

  visitor.end(up);
  const uploaded = readAll(lan);
  const downloaded = readAll(visitor);
  expect(sha256(await uploaded)).toBe(sha256(up));
  // The visitor has ended long ago, and the service can still send.
  lan.end(down);
  expect(sha256(await downloaded)).toBe(sha256(down));
  await expect.poll(() => house.agent.mux.streamCount).toBe(1);
});

test('a service that ends first still receives the rest', async () => {
  await using service = await startTcpService((socket) => socket.end('only this'));
  await using house = await openHouse(service, {});
  const visitor = await visitPort(house.port);
  expect(String(await readAll(visitor))).toBe('only this');
  const said = readAll(service.sockets.at(-1)!);
  visitor.end('and this');
  expect(String(await said)).toBe('and this');
});

test('a reset by the service reaches the visitor as a reset, after the bytes before it', async () => {
  await using service = await startTcpService();
  await using house = await openHouse(service, {});
  const visitor = await visitPort(house.port);
  const lan = await service.socket(0);
  const received = once(visitor, 'data');
  lan.write('last words');
  expect(String((await received)[0])).toBe('last words');
  const end = endOf(visitor);
  lan.resetAndDestroy();
  expect(await end).toBe('ECONNRESET');
});

test('what a service sends just before its reset still reaches the visitor', async () => {
  await using t = await startTestRelay();
  const port = await freePort();
  const key = createAgentKey();
  const text = 'permission denied '.repeat(5_000);
  await t.connectDevice(testDevice(key, { '': 1 }, { kind: 'tcp', port }), key, { onOpen: () => ({ text }) });
  await using visitor = new RawClient(await visitPort(port));
  const end = endOf(visitor.socket);
  expect((await visitor.untilEnd()).length).toBe(text.length);
  expect(await end).toBe('ECONNRESET');
});

test('a reset by the visitor reaches the service as a reset', async () => {
  await using service = await startTcpService();
  await using house = await openHouse(service, {});
  const visitor = await visitPort(house.port);
  const lan = await service.socket(0);
  visitor.write('half of a mess');
  await once(lan, 'data');
  const end = endOf(lan);
  visitor.resetAndDestroy();
  expect(await end).toBe('ECONNRESET');
});

test('the visitor is reset when the target refuses or the device is away', async () => {
  await using t = await startTestRelay();
  const { port, agent } = await mapPort(t, { port: await freePort() });
  expect(await endOf(await visitPort(port))).toBe('ECONNRESET');
  agent.kill();
  await t.server.waitFor('presence', ({ events }) => events.some((event) => !event.online));
  expect(await endOf(await visitPort(port))).toBe('ECONNRESET');
});

test('a port is open only while an enabled mapping has it, and its connections end with it', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using t = await startTestRelay();
  const { port, device } = await mapPort(t, service);
  const [route] = device.routes as [Route];
  for (const without of [
    { ...device, routes: [{ ...route, enabled: false }] },
    { ...device, routes: [] },
  ]) {
    t.server.put(device);
    await expect.poll(() => isOpen(port)).toBe(true);
    const visitor = await visitPort(port);
    await once(visitor, 'data');
    const end = endOf(visitor);
    t.server.put(without);
    expect(await end).toBe('ECONNRESET');
    await expect.poll(() => isOpen(port)).toBe(false);
  }
  t.server.put(device);
  await expect.poll(() => isOpen(port)).toBe(true);
  t.server.remove(device.deviceId);
  await expect.poll(() => isOpen(port)).toBe(false);
});

test('a mapping that is sent again, or gets another remark, interrupts no connection', async () => {
  await using service = await startTcpService((socket) => socket.pipe(socket));
  await using house = await openHouse(service, {});
  const { t, device, port } = house;
  await using visitor = new RawClient(await visitPort(port));
  visitor.send('before ');
  await visitor.until(/before /);
  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route })) });
  t.server.dropRelay(); // a new snapshot follows
  await t.server.waitFor('hello', () => t.server.received.filter(({ type }) => type === 'hello').length === 2);
  visitor.send('after');
  expect(await visitor.until(/after/)).toBe('before after');
});

test('anonymous clients are reset on a mapping for verified visitors, allow-listed addresses are not', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using house = await openHouse(service, { route: { policy: 'owner' } });
  const { t, device, port } = house;
  const anonymous = await visitPort(port);
  expect(await endOf(anonymous)).toBe('ECONNRESET');
  expect(service.sockets).toEqual([]);

  t.server.put({ ...device, allowList: ['127.0.0.0/8'] });
  await expect
    .poll(async () => {
      await using visitor = new RawClient(await visitPort(port));
      return await visitor.until(/hello/);
    })
    .toBe('hello');
  await using listed = new RawClient(await visitPort(port));
  await listed.until(/hello/);
  t.server.put(device);
  await listed.untilEnd();
  expect(await endOf(await visitPort(port))).toBe('ECONNRESET');
});

test('a verified address passes until its verification ends', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  vi.useFakeTimers({ toFake: ['Date'] }); // it stands still until the test moves it
  const verifiedIps = [{ verificationId: 1, ip: '127.0.0.1', expiresAtMs: Date.now() + 1 }];
  await using house = await openHouse(service, { route: { policy: 'owner', verifiedIps } });
  await using visitor = new RawClient(await visitPort(house.port));
  expect(await visitor.until(/hello/)).toBe('hello');
  vi.setSystemTime(verifiedIps[0]!.expiresAtMs);
  await visitor.untilEnd();
  expect(await endOf(await visitPort(house.port))).toBe('ECONNRESET');
});

test('a visitor that does not read stalls its own service, within a limit, and no other visitor', async () => {
  await using service = await startTcpService((socket) => socket.write(Buffer.alloc(40 * MB)));
  await using house = await openHouse(service, {});
  const stalled = (await visitPort(house.port)).pause();
  const lan = await service.socket(0);
  let before = -1;
  await expect
    .poll(() => {
      const isStill = lan.bytesWritten - lan.writableLength === before;
      before = lan.bytesWritten - lan.writableLength;
      return isStill;
    })
    .toBe(true);
  const other = await visitPort(house.port);
  const chunks = await new Promise<number>((resolve) => {
    let bytes = 0;
    other.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= 20 * MB) resolve(bytes);
    });
  });
  expect(chunks).toBeGreaterThanOrEqual(20 * MB);
  expect(stalled.bytesRead).toBeLessThan(1 * MB);
  stalled.destroy();
  other.destroy();
  await expect.poll(() => house.agent.mux.streamCount).toBe(1);
});

test('one port and one address have a limit of connections', async () => {
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using house = await openHouse(service, { limits: { maxConnectionsPerPort: 2 } });
  const first = await visitPort(house.port);
  const second = await visitPort(house.port);
  await Promise.all([once(first, 'data'), once(second, 'data')]);
  expect(await endOf(await visitPort(house.port))).toBe('ECONNRESET');
  first.resetAndDestroy();
  await expect
    .poll(async () => {
      await using visitor = new RawClient(await visitPort(house.port));
      return await visitor.until(/hello/);
    })
    .toBe('hello');
  second.destroy();
});
