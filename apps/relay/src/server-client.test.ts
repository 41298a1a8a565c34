import { expect, test } from 'vitest';
import { openRawClient } from './testing/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from './testing/start-test-relay.ts';

async function statusOf(port: number, host: string): Promise<string> {
  await using visitor = openRawClient(port);
  visitor.send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await visitor.untilEnd()).slice(9, 12);
}

test('a change is live at once, and a removal too', async () => {
  await using t = await startTestRelay();
  const device = testDevice(createAgentKey(), { 'nas.localhost': 1 });
  expect(await statusOf(t.relay.httpPort, 'nas.localhost')).toBe('404');
  t.server.put(device);
  await expect.poll(() => statusOf(t.relay.httpPort, 'nas.localhost')).toBe('503');
  t.server.put({ ...device, routes: [] });
  await expect.poll(() => statusOf(t.relay.httpPort, 'nas.localhost')).toBe('404');
});

test('a gap in the versions is answered with a question for the whole picture', async () => {
  await using t = await startTestRelay();
  t.server.putUnheard(testDevice(createAgentKey(), { 'missed.localhost': 1 }));
  t.server.put(testDevice(createAgentKey(), { 'seen.localhost': 1 }));
  await t.server.waitFor('resync');
  await expect.poll(() => statusOf(t.relay.httpPort, 'missed.localhost')).toBe('503');
  expect(await statusOf(t.relay.httpPort, 'seen.localhost')).toBe('503');
});

test('a host that moves to another device follows it, in whatever order the news come', async () => {
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

test('while the server is away visitors are served from memory; then it hears who is there and who has left', async () => {
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

test('what was removed while the server was not heard is gone with the next picture', async () => {
  await using t = await startTestRelay({ reconnectFirstMs: 20, reconnectMaxMs: 20 });
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 1 });
  const agent = await t.connectDevice(device, key);
  t.server.devices.delete(device.deviceId);
  t.server.dropRelay();
  expect(await agent.waitFor('bye')).toMatchObject({ code: 'device.removed' });
  expect(await statusOf(t.relay.httpPort, 'nas.localhost')).toBe('404');
});

test('the server hears that the relay lives, and how busy it is', async () => {
  await using t = await startTestRelay({ serverHeartbeatMs: 20 });
  const { load } = await t.server.waitFor('heartbeat');
  expect(load).toBeGreaterThanOrEqual(0);
  expect(load).toBeLessThanOrEqual(1);
});

test('a server that asks who is speaking is told again who is online, by the same start of the relay', async () => {
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
