import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping, usageOf } from '../../testing/device-fixtures.ts';
import { listUsageOfLastDay } from '../usage/index.ts';
import { openTestHub, relaySecret } from './testing/open-test-hub.ts';
import { TestRelay } from './testing/test-relay.ts';

test('a usage report is stored and acknowledged, and counts once if it is sent again after a lost connection', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const id = await insertMapping(t.db, { ...home, prefix: 'nas' });
  await using server = await openTestHub(t);
  await using before = await TestRelay.connect(server.port, relaySecret);
  before.hello();
  expect(await before.reportUsage(1, [usageOf(id)])).toBe(1);
  expect(await before.reportUsage(2, [usageOf(id)])).toBe(2);
  before.terminate();

  await using after = await TestRelay.connect(server.port, relaySecret);
  after.hello();
  expect(await after.reportUsage(2, [usageOf(id)])).toBe(2);
  expect(await after.reportUsage(3, [usageOf(id)])).toBe(3);

  expect((await listUsageOfLastDay(t.db, [id])).get(id)).toEqual({ bytesIn: 300, bytesOut: 3000, requests: 3 });
});

test('the usage of a mapping at two relays is added up', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const id = await insertMapping(t.db, { ...home, prefix: 'nas' });
  await using server = await openTestHub(t);
  await using one = await TestRelay.connect(server.port, relaySecret);
  await using two = await TestRelay.connect(server.port, relaySecret);
  one.hello([], 'r1');
  two.hello([], 'r2');

  const stored = await Promise.all([one.reportUsage(1, [usageOf(id)]), two.reportUsage(1, [usageOf(id)])]);

  expect(stored).toEqual([1, 1]);
  expect((await listUsageOfLastDay(t.db, [id])).get(id)).toMatchObject({ requests: 2 });
});

test('a report of a deleted mapping is acknowledged like any other', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello();

  expect(await relay.reportUsage(7, [usageOf(999)])).toBe(7);
  expect(await relay.reportUsage(8, [])).toBe(8);
});

test('a report with negative counts closes the connection and is not stored', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const id = await insertMapping(t.db, { ...home, prefix: 'nas' });
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  relay.send({ type: 'usage', bootId: 'boot', sequence: 1, entries: [usageOf(id, { bytesIn: -1 })] });

  expect(await relay.closed()).toBe(1007);
  expect(await listUsageOfLastDay(t.db, [id])).toEqual(new Map());
});
