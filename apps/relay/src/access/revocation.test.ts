import { connect } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { isOpen, startTcpService } from '../testing/port-services.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { signVisitorProof, visitorCookieName } from './visitor-cookie.ts';

const HOUR_MS = 3_600_000;

/** A verified visitor: a browser with a cookie, or a program at a verified address. */
type Person = { address: string; cookieId: number; addressId: number };
/** An address without any verification. */
const anonymous = { address: '127.0.0.3' };
const anna: Person = { address: '127.0.0.1', cookieId: 1, addressId: 11 };
const bert: Person = { address: '127.0.0.2', cookieId: 2, addressId: 12 };

function openFrom(address: string, port: number): RawClient {
  return new RawClient(connect({ port, host: '127.0.0.1', localAddress: address, allowHalfOpen: true }));
}

/** A web service that answers slowly, endlessly or not at all, and speaks back after an upgrade. */
async function startWebService() {
  const asked: string[] = [];
  const service = await startLanService((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/page') response.end('a page');
    else if (request.url === '/events')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    else if (request.url === '/download') response.writeHead(200, { 'content-length': 1e9 }).write('the beginning');
  });
  service.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {}); // the other side may go at any time
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.pipe(socket);
  });
  return Object.assign(service, { asked });
}

/** A device with a web mapping and a TCP mapping, both for verified visitors, and functions that visit them. */
async function openHouse(changes: Partial<Route> = {}) {
  const stack = new AsyncDisposableStack();
  const lan = stack.use(await startWebService());
  const echo = stack.use(await startTcpService((socket) => socket.pipe(socket)));
  const t = stack.use(await startTestRelay());
  const key = createAgentKey();
  const expiresAtMs = Date.now() + HOUR_MS;
  const verifiedIps = [anna, bert].map(({ address, addressId }) => ({
    verificationId: addressId,
    ip: address,
    expiresAtMs,
  }));
  const web = testDevice(key, { 'nas.localhost': lan.port }, { policy: 'owner', ...changes });
  const tcp = testDevice(
    key,
    { '': echo.port },
    { kind: 'tcp', port: await freePort(), policy: 'owner', verifiedIps, ...changes },
  );
  const [webRoute, tcpRoute] = [web.routes[0]!, tcp.routes[0]!]; // one route for each name
  const device: DeviceRoutes = { ...web, routes: [webRoute, tcpRoute] };
  await t.connectDevice(device, key);
  await expect.poll(() => isOpen(tcpRoute.port ?? 0)).toBe(true);

  function cookieOf(person: Person | typeof anonymous): string {
    if (!('cookieId' in person)) return '';
    const proof = { mappingId: webRoute.mappingId, verificationId: person.cookieId, expiresAtMs };
    const place = { host: webRoute.host, scheme: 'http' } as const;
    return `Cookie: ${visitorCookieName('http')}=${signVisitorProof(t.gateKey, place, proof)}\r\n`;
  }
  async function browse(
    person: Person | typeof anonymous,
    path: string,
    fields: string,
    seen: RegExp,
  ): Promise<RawClient> {
    const client = stack.use(openFrom(person.address, t.relay.httpPort));
    client.send(`GET ${path} HTTP/1.1\r\nHost: nas.localhost\r\n${cookieOf(person)}${fields}\r\n`);
    expect(await client.until(seen)).toMatch(seen);
    return client;
  }

  /** One of each kind of thing that stays open. */
  async function visit(person: Person | typeof anonymous) {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const webSocket = await browse(person, '/socket', upgrade, / 101 [^]*\r\n\r\n$/);
    const events = await browse(person, '/events', '', /data: 1/);
    const download = await browse(person, '/download', '', /the beginning/);
    const keptAlive = await browse(person, '/page', '', /a page$/);
    const tcp = stack.use(openFrom(person.address, tcpRoute.port ?? 0));
    tcp.send('hello');
    await tcp.until(/hello/);
    async function echoes(client: RawClient): Promise<boolean> {
      client.clear();
      client.send('still here?');
      return (await client.until(/still here\?/)) === 'still here?';
    }
    return {
      /** Resolves when all of them have been cut. */
      allCut: () => Promise.all([webSocket, events, download, tcp].map((client) => client.untilEnd())),
      async nextStatus(): Promise<string | undefined> {
        keptAlive.clear();
        keptAlive.send(`GET /page HTTP/1.1\r\nHost: nas.localhost\r\n${cookieOf(person)}\r\n`);
        return /^HTTP\/1\.1 (\d+)/.exec(await keptAlive.until(/\r\n\r\n[^]/))?.[1];
      },
      areAllOpen: async () =>
        (await echoes(webSocket)) && (await echoes(tcp)) && !events.hasEnded && !download.hasEnded,
    };
  }
  return {
    server: t.server,
    device,
    lan,
    visit,
    browse,
    cookieOf,
    change: (route: Partial<Route>, changed: Partial<DeviceRoutes> = {}) =>
      t.server.put({ ...device, ...changed, routes: device.routes.map((known) => ({ ...known, ...route })) }),
    /** Resolves when the relay has applied all earlier messages. */
    async settled(): Promise<void> {
      const later = createAgentKey();
      await t.connectDevice(testDevice(later, {}), later);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

test('a revoked verification ends everything of its visitor, and nothing of other visitors', async () => {
  await using house = await openHouse();
  const [first, second] = [await house.visit(anna), await house.visit(bert)];
  house.change({ revokedVerifications: [anna.cookieId, anna.addressId] });
  await first.allCut();
  expect(await first.nextStatus()).toBe('403');
  expect(await second.areAllOpen()).toBe(true);
  expect(await second.nextStatus()).toBe('200');
});

test.each<[string, Partial<Route>, string]>([
  ['is switched off', { enabled: false }, '403'],
  ['is not open yet', { opensAtMs: Date.now() + HOUR_MS }, '403'],
  ['has closed', { closesAtMs: Date.now() - 1 }, '403'],
  ['leads elsewhere', { targetPort: 9 }, '502'],
])('a mapping that %s cuts its open connections', async (_change, change, status) => {
  await using house = await openHouse({ policy: 'public' });
  const visitor = await house.visit(anna);
  house.change(change);
  await visitor.allCut();
  expect(await visitor.nextStatus()).toBe(status);
});

test('a mapping that becomes one for verified visitors cuts anonymous clients, and no verified visitor', async () => {
  await using house = await openHouse({ policy: 'public' });
  const [known, unknown] = [await house.visit(anna), await house.visit(anonymous)];
  house.change({ policy: 'owner' });
  await unknown.allCut();
  expect(await unknown.nextStatus()).toBe('403');
  expect(await known.areAllOpen()).toBe(true);
  expect(await known.nextStatus()).toBe('200');
});

test.each<[string, (house: Awaited<ReturnType<typeof openHouse>>) => void]>([
  ['is switched off', (house) => house.change({}, { enabled: false })],
  ['loses its mappings', (house) => house.server.put({ ...house.device, routes: [] })],
  ['is deleted', (house) => house.server.remove(house.device.deviceId)],
])('a device that %s cuts its open connections', async (_change, change) => {
  await using house = await openHouse();
  const visitor = await house.visit(anna);
  change(house);
  await visitor.allCut();
  expect(await visitor.nextStatus()).toMatch(/403|404/);
});

test.each<[string, Partial<Route>, Partial<DeviceRoutes>]>([
  ['opens to everyone', { policy: 'public' }, {}],
  ['has other dates that allow this moment', { opensAtMs: 1, closesAtMs: Date.now() + HOUR_MS }, {}],
  [
    'has other hours that allow this moment',
    { hours: { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 1440 } },
    {},
  ],
  ['belongs to a device with another allow-list and bandwidth', {}, { allowList: ['192.0.2.1'], bandwidthBps: 1e9 }],
  ['has had the verification of somebody else revoked', { revokedVerifications: [bert.cookieId, bert.addressId] }, {}],
])('a mapping that %s cuts nothing', async (_change, route, device) => {
  await using house = await openHouse();
  const visitor = await house.visit(anna);
  house.change(route, device);
  await house.settled();
  expect(await visitor.areAllOpen()).toBe(true);
  expect(await visitor.nextStatus()).toBe('200');
});

test('a visitor of the allow-list is cut when the address leaves the list', async () => {
  await using house = await openHouse();
  house.change({}, { allowList: ['127.0.0.0/24'] });
  await house.settled();
  const visitor = await house.visit(anonymous);
  house.change({}, { allowList: ['127.0.0.1'] });
  await visitor.allCut();
  expect(await visitor.nextStatus()).toBe('403');
});

test('an open connection ends when its proof expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await using house = await openHouse();
  const [first, second] = [await house.visit(anna), await house.visit(bert)];
  vi.setSystemTime(Date.now() + HOUR_MS - 10_000);
  expect(await first.areAllOpen()).toBe(true);
  vi.setSystemTime(Date.now() + 20_000);
  await Promise.all([first.allCut(), second.allCut()]);
  expect(await first.nextStatus()).toBe('403');
});

test('the end of the hours cuts visitors of a public mapping too', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T17:59:00+08:00') });
  const hours = { days: [1], fromMinute: 9 * 60, toMinute: 18 * 60 };
  await using house = await openHouse({ policy: 'public', hours });
  const visitor = await house.visit(anna);
  vi.setSystemTime(Date.parse('2026-11-16T17:59:59+08:00'));
  expect(await visitor.areAllOpen()).toBe(true);
  vi.setSystemTime(Date.parse('2026-11-16T18:00:00+08:00'));
  await visitor.allCut();
  expect(await visitor.nextStatus()).toBe('403');
});

test('a request that was cut is not retried', async () => {
  await using house = await openHouse();
  // Its stream has carried a request before; if it were lost by chance, another one would replace it.
  const visitor = await house.browse(anna, '/page', '', /a page$/);
  visitor.clear();
  visitor.send(`GET /silence HTTP/1.1\r\nHost: nas.localhost\r\n${house.cookieOf(anna)}\r\n`);
  await expect.poll(() => house.lan.asked).toContain('/silence');
  house.change({ revokedVerifications: [anna.cookieId] });
  expect(await visitor.until(/\r\n\r\n[^]/)).toMatch(/^HTTP\/1\.1 403 /);
  expect(house.lan.asked.filter((path) => path === '/silence')).toHaveLength(1);
});

test.each<[string, string, Partial<Route>, Partial<DeviceRoutes>]>([
  ['a mapping that is switched off', '403 .*该地址已停用', { enabled: false }, {}],
  ['a device that is switched off', '403 .*设备已停用', {}, { enabled: false }],
  ['a mapping whose time is over', '403 .*已过开放时间', { closesAtMs: 1 }, {}],
  ['a mapping that now leads elsewhere', '503 .*映射刚刚更改', { targetPort: 9 }, {}],
])('a visitor who waits for an answer gets the page of %s', async (_change, page, route, device) => {
  await using house = await openHouse();
  const visitor = await house.browse(anna, '/page', '', /a page$/);
  visitor.clear();
  visitor.send(`GET /silence HTTP/1.1\r\nHost: nas.localhost\r\n${house.cookieOf(anna)}\r\n`);
  await expect.poll(() => house.lan.asked).toContain('/silence');
  house.change(route, device);
  const answer = Buffer.from(await visitor.until(/\r\n\r\n[^]/), 'latin1').toString();
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${page}`, 's'));
});
