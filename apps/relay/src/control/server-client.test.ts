import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { defaultRelayLimits } from '../config/relay-limits.ts';
import { RouteTable } from '../routes/route-table.ts';
import { ServerClient, type ServerClientOptions } from './server-client.ts';
import { type FakeServer, startFakeServer, testSecret } from '../testing/fake-server.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

async function statusOf(port: number, host: string): Promise<string> {
  await using visitor = openRawClient(port);
  visitor.send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await visitor.untilEnd()).slice(9, 12);
}

/** A client without a relay around it. */
function openClient(server: FakeServer, more: Partial<ServerClientOptions> = {}) {
  const log = pino({ level: 'silent' });
  const routes = new RouteTable('http://localhost:8080', log);
  const ignore = () => undefined;
  const client = new ServerClient({
    ...{ url: `ws://127.0.0.1:${server.port}/internal/relay-control/`, secret: testSecret, relayId: 'test' },
    ...{ limits: defaultRelayLimits, routes, onlineEvents: () => [], monotonicMs: () => performance.now(), log },
    ...{ onEdge: ignore, onCertificates: ignore, onCertificatesKept: ignore, onUsageStored: ignore },
    ...{ onVisitsStored: ignore, onGreeted: ignore },
    discover: () => undefined,
    diagnose: async () => ({ ok: false, reason: 'offline' }),
    probe: async () => ({ ok: false, step: 'agent', ms: 0, seen: '' }),
    trial: async () => ({ answers: [], failure: 'no-mapping', script: null, socket: null, greeting: null }),
    wake: async () => ({ ok: false, step: 'agent', ms: 0, seen: '' }),
    upgrade: async () => ({ ok: false, step: 'agent', ms: 0, seen: '' }),
    ...more,
  });
  return { client, routes, [Symbol.asyncDispose]: async () => await client[Symbol.asyncDispose]() };
}

test('a changed or removed device takes effect at once', async () => {
  await using t = await startTestRelay();
  const device = testDevice(createAgentKey(), { 'nas.localhost': 1 });
  expect(await statusOf(t.relay.httpPort, 'nas.localhost')).toBe('404');
  t.server.put(device);
  await expect.poll(() => statusOf(t.relay.httpPort, 'nas.localhost')).toBe('503');
  t.server.put({ ...device, routes: [] });
  await expect.poll(() => statusOf(t.relay.httpPort, 'nas.localhost')).toBe('404');
});

test('after a gap in the versions the relay asks for a new snapshot', async () => {
  await using t = await startTestRelay();
  t.server.putUnheard(testDevice(createAgentKey(), { 'missed.localhost': 1 }));
  t.server.put(testDevice(createAgentKey(), { 'seen.localhost': 1 }));
  await t.server.waitFor('resync');
  await expect.poll(() => statusOf(t.relay.httpPort, 'missed.localhost')).toBe('503');
  expect(await statusOf(t.relay.httpPort, 'seen.localhost')).toBe('503');
});

test('a host that moves to another device leads there, in whatever order the two messages arrive', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('lan'));
  const key = createAgentKey();
  const from = testDevice(createAgentKey(), { 'nas.localhost': 1 });
  t.server.put(from);
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  t.server.put({ ...from, routes: [] });
  t.server.put(testDevice(createAgentKey(), { 'last.localhost': 1 }));
  await expect.poll(() => statusOf(t.relay.httpPort, 'last.localhost')).toBe('503');
  expect(await statusOf(t.relay.httpPort, 'nas.localhost')).toBe('200');
});

test('while the server is away visitors are served from memory; then it receives who is online and who has left', async () => {
  await using t = await startTestRelay({ reconnectFirstMs: 20, reconnectMaxMs: 20 });
  await using lan = await startLanService((_request, response) => response.end('lan'));
  const [staying, leaving] = [createAgentKey(), createAgentKey()];
  const stayingDevice = testDevice(staying, { 'stay.localhost': lan.port });
  const leavingDevice = testDevice(leaving, { 'leave.localhost': lan.port });
  await t.connectDevice(stayingDevice, staying);
  const leaver = await t.connectDevice(leavingDevice, leaving);
  t.server.received.length = 0;
  t.server.isAway = true;
  t.server.dropRelay();
  await t.server.relayTurnedAway();
  expect(await statusOf(t.relay.httpPort, 'stay.localhost')).toBe('200');
  leaver.kill();
  await expect.poll(() => statusOf(t.relay.httpPort, 'leave.localhost')).toBe('503');
  t.server.isAway = false;
  const hello = await t.server.waitFor('hello');
  expect(hello.online.map((event) => event.deviceId)).toEqual([stayingDevice.deviceId]);
  const { events } = await t.server.waitFor('presence');
  expect(events).toMatchObject([{ online: false, deviceId: leavingDevice.deviceId, reason: 'connection_lost' }]);
});

test('what was removed while the server was away is removed with the next snapshot', async () => {
  await using t = await startTestRelay({ reconnectFirstMs: 20, reconnectMaxMs: 20 });
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 1 });
  const agent = await t.connectDevice(device, key);
  t.server.devices.delete(device.deviceId);
  t.server.dropRelay();
  expect(await agent.waitFor('bye')).toMatchObject({ code: 'device.removed' });
  expect(await statusOf(t.relay.httpPort, 'nas.localhost')).toBe('404');
});

test('heartbeats report the relay’s load', async () => {
  await using t = await startTestRelay({ serverHeartbeatMs: 20 });
  const { load } = await t.server.waitFor('heartbeat');
  expect(load).toBeGreaterThanOrEqual(0);
  expect(load).toBeLessThanOrEqual(1);
});

test('a server that asks for a hello receives again who is online, with the same boot id', async () => {
  await using t = await startTestRelay({ serverHeartbeatMs: 20 });
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 1 });
  const { bootId } = await t.server.waitFor('hello');
  await t.connectDevice(device, key);
  t.server.received.length = 0;
  t.server.send({ type: 'greet' });
  const hello = await t.server.waitFor('hello');
  expect(hello).toMatchObject({ bootId, online: [{ deviceId: device.deviceId, online: true }] });
  expect(await t.server.waitFor('heartbeat')).toMatchObject({ bootId });
});

test('until the last part of a snapshot arrives the relay uses its old routes and applies changes to them', async () => {
  await using t = await startTestRelay({ reconnectFirstMs: 20, reconnectMaxMs: 20 });
  const [removed, kept, added] = ['removed', 'kept', 'added'].map((name) =>
    testDevice(createAgentKey(), { [`${name}.localhost`]: 1 }),
  );
  if (!removed || !kept || !added) throw new Error('three devices');
  t.server.put(removed);
  t.server.put(kept);
  const statuses = async () =>
    await Promise.all(['removed', 'kept', 'added'].map((name) => statusOf(t.relay.httpPort, `${name}.localhost`)));
  await expect.poll(statuses).toEqual(['503', '503', '404']);

  t.server.sendSnapshotPart({ isLast: false, devices: [kept] });
  t.server.sendSnapshotPart({ isFirst: false, isLast: false, devices: [] });
  t.server.put(added);
  await expect.poll(statuses).toEqual(['503', '503', '503']);
  t.server.remove(kept.deviceId);
  await expect.poll(statuses).toEqual(['503', '404', '503']);

  t.server.sendSnapshotPart({ isFirst: false, isLast: true });
  await expect.poll(statuses).toEqual(['404', '404', '503']);
});

test('a snapshot that another one replaces has no effect', async () => {
  await using t = await startTestRelay();
  const [first, second] = [
    testDevice(createAgentKey(), { 'first.localhost': 1 }),
    testDevice(createAgentKey(), { 'second.localhost': 1 }),
  ];
  t.server.sendSnapshotPart({ isLast: false, devices: [first] });
  t.server.sendSnapshotPart({ isLast: false, devices: [second] });
  t.server.sendSnapshotPart({ isFirst: false });

  await expect.poll(() => statusOf(t.relay.httpPort, 'second.localhost')).toBe('503');
  expect(await statusOf(t.relay.httpPort, 'first.localhost')).toBe('404');
});

test('when a part of a snapshot is missing the relay asks for a new snapshot', async () => {
  await using t = await startTestRelay();
  const device = testDevice(createAgentKey(), { 'nas.localhost': 1 });
  t.server.sendSnapshotPart({ isLast: false });
  t.server.putUnheard(device);
  t.server.sendSnapshotPart({ isFirst: false });

  await t.server.waitFor('resync');
  await expect.poll(() => statusOf(t.relay.httpPort, 'nas.localhost')).toBe('503');
});

test('a kept device stays as it was, and the agent of one that is not known yet may try again', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('lan'));
  const [known, unknown] = [createAgentKey(), createAgentKey()];
  const device = testDevice(known, { 'nas.localhost': lan.port });
  const other = testDevice(unknown, { 'cam.localhost': lan.port });
  await t.connectDevice(device, known);

  t.server.sendSnapshotPart({ keptDeviceIds: [device.deviceId, other.deviceId] });

  await using early = t.openAgent({ key: unknown });
  expect(await early.waitFor('refused')).toMatchObject({ code: 'server.unavailable', retry: true });
  expect(await statusOf(t.relay.httpPort, 'nas.localhost')).toBe('200');
  expect(await statusOf(t.relay.httpPort, 'cam.localhost')).toBe('404');
  await t.connectDevice(other, unknown);
  expect(await statusOf(t.relay.httpPort, 'cam.localhost')).toBe('200');
  await using unknownAgent = t.openAgent({ key: createAgentKey() });
  expect(await unknownAgent.waitFor('refused')).toMatchObject({ code: 'device.unknown', retry: false });
});

test('a relay that starts has no routes before the last part of its first snapshot', async () => {
  await using server = await startFakeServer(randomBytes(32));
  server.sendsSnapshots = false;
  await using it = openClient(server);
  const { client, routes } = it;
  client.start();
  await server.waitFor('hello');
  const device = testDevice(createAgentKey(), { 'nas.localhost': 1 });
  server.sendSnapshotPart({ isLast: false, devices: [device] });
  server.put(device);
  // Its answer comes after all earlier messages.
  server.send({ type: 'probe', correlation: 1, deviceId: 1, mappingId: 1 });
  await server.waitFor('probe_result');
  expect([routes.isReady, routes.findRoute('nas.localhost')]).toEqual([false, undefined]);

  server.sendSnapshotPart({ isFirst: false });

  await client.whenReady();
  expect(routes.findRoute('nas.localhost')).toMatchObject({ owner: { device: { deviceId: device.deviceId } } });
});

test('a fault in what the server asks for is answered, and the relay goes on', async () => {
  await using server = await startFakeServer(randomBytes(32));
  const fail = async () => await Promise.reject(new Error('a fault'));
  await using it = openClient(server, { probe: fail, trial: fail, diagnose: fail });
  it.client.start();
  await server.waitFor('hello');
  const visit = { mappingId: 1, scheme: 'https', authority: 'nas.localhost', address: '::1', settings: {} } as const;
  server.send({ type: 'probe', correlation: 1, deviceId: 1, mappingId: 1 });
  server.send({ type: 'trial', correlation: 2, deviceId: 1, visit });
  server.send({ type: 'diagnose', correlation: 3, deviceId: 1 });
  expect(await server.waitFor('probe_result')).toMatchObject({ result: { ok: false, step: 'relay', seen: 'failed' } });
  expect(await server.waitFor('trial_result')).toMatchObject({ result: { answers: [], failure: 'relay-failed' } });
  expect(await server.waitFor('diagnosis')).toMatchObject({ result: { ok: false, reason: 'lost' } });
});
