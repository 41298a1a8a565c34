import { freePort } from '@tongtu/base/testing/free-port';
import type { VisitRecord } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { startTcpService, visitPort } from '../testing/port-services.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

async function recordOf(server: FakeServer, accept: (record: VisitRecord) => boolean): Promise<VisitRecord> {
  const { records } = await server.waitFor('visits', (message) => message.records.some(accept));
  return records.find(accept)!;
}

/** A report that is repeated counts once. */
function usageOf({ received }: FakeServer, mappingId: number): [bytesIn: number, bytesOut: number] {
  const reports = new Map(
    received.flatMap((each) => (each.type === 'usage' ? [[each.sequence, each.entries] as const] : [])),
  );
  const entries = [...reports.values()].flat().filter((entry) => entry.mappingId === mappingId);
  const sum = (field: 'bytesIn' | 'bytesOut') => entries.reduce((total, entry) => total + entry[field], 0);
  return [sum('bytesIn'), sum('bytesOut')];
}

test('requests are recorded with what they sent and got: served, denied, failed and offline', async () => {
  await using t = await startTestRelay({ visitReportMs: 5, usageReportMs: 5 });
  await using lan = await startLanService((_request, response) => {
    response.writeHead(201, { 'Content-Length': '5' });
    response.end('hello');
  });
  const key = createAgentKey();
  const device = testDevice(key, { 'open.example': lan.port, 'dead.example': await freePort() }, { visitLogDays: 7 });
  const closed = testDevice(createAgentKey(), { 'closed.example': 1 }, { visitLogDays: 1, policy: 'closed' });
  const away = testDevice(createAgentKey(), { 'away.example': 1 }, { visitLogDays: 1 });
  const silent = testDevice(createAgentKey(), { 'silent.example': 1 }, { policy: 'closed' });
  for (const each of [closed, away, silent]) t.server.put(each);
  await t.connectDevice(device, key);
  await using visitor = openRawClient(t.relay.httpPort);
  const ask = async (host: string, target: string) => {
    visitor.clear();
    visitor.send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: <b>\r\n\r\n`);
    await visitor.until(/HTTP\/1\.1 [^]*\r\n\r\n/);
  };
  await ask('silent.example', '/none');
  await ask('open.example', '/a?secret=1');
  const served = await recordOf(t.server, (record) => record.path === '/a');
  const common = { address: '127.0.0.1', method: 'GET', userAgent: '<b>' };
  expect(served).toMatchObject({ ...common, outcome: 'served', status: 201, grounds: 'public', reason: '' });
  expect(served.bytesOut).toBeGreaterThan('HTTP/1.1 201 Created\r\n\r\nhello'.length);
  // The same bytes as in the usage, which may have come in several reports.
  await expect.poll(() => usageOf(t.server, served.mappingId)).toEqual([served.bytesIn, served.bytesOut]);

  await ask('closed.example', '/b');
  expect(await recordOf(t.server, (record) => record.path === '/b')).toMatchObject({
    ...{ ...common, outcome: 'denied', reason: 'closed-by-owner', status: 403, grounds: 'none', bytesOut: 0 },
  });
  await ask('away.example', '/c');
  expect(await recordOf(t.server, (record) => record.path === '/c')).toMatchObject({
    ...{ outcome: 'failed', reason: 'device-offline', status: 503 },
  });
  await ask('dead.example', '/d');
  expect(await recordOf(t.server, (record) => record.path === '/d')).toMatchObject({
    ...{ outcome: 'failed', reason: 'target-refused', status: 502 },
  });
  const all = t.server.received.flatMap((message) => (message.type === 'visits' ? message.records : []));
  expect(all.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/d']);
});

test('a TCP connection is one record, at its end, and a denied one another', async () => {
  await using t = await startTestRelay({ visitReportMs: 5 });
  await using service = await startTcpService((socket) => socket.once('data', () => socket.end('bye')));
  const [port, key] = [await freePort(), createAgentKey()];
  const device = testDevice(key, { '': service.port }, { kind: 'tcp', port, visitLogDays: 7 });
  await t.connectDevice(device, key);
  await using visitor = new RawClient(await visitPort(port));
  visitor.send('hello');
  await visitor.untilEnd();
  await visitor[Symbol.asyncDispose]();
  expect(await recordOf(t.server, ({ outcome }) => outcome === 'served')).toMatchObject({
    ...{ method: 'TCP', path: '', status: null, bytesIn: 5, bytesOut: 3 },
  });
  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, policy: 'owner' as const })) });
  await expect
    .poll(async () => {
      await using refused = new RawClient(await visitPort(port));
      await refused.untilEnd().catch(() => '');
      return t.server.received.some(
        (message) => message.type === 'visits' && message.records.some(({ outcome }) => outcome === 'denied'),
      );
    })
    .toBe(true);
});
