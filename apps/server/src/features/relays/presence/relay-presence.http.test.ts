import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertHome, insertPresence, insertRelay } from '../../../testing/device-fixtures.ts';
import { online, openTestHub, relaySecret, whenPresent } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';
import { recordLines } from './record-lines.ts';
import { findDevice } from '../../devices/index.ts';

test('a heartbeat keeps the relay and its devices alive', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: new Date(0) })
    .execute();

  relay.send({ type: 'heartbeat', load: 0.25, bootId: 'boot' });

  await expect
    .poll(async () => (await t.db.selectFrom('relay').select(['load', 'lastSeenAt']).executeTakeFirst())?.load)
    .toBe(0.25);
  const { lastSeenAt } = await t.db.selectFrom('relay').select('lastSeenAt').executeTakeFirstOrThrow();
  expect(lastSeenAt.getTime()).toBeGreaterThan(0);
});

test('a relay whose id a second process has used is sent greet, and its next hello is recorded', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello([online(home.deviceId)]);
  await relay.next('snapshot');
  await t.db.updateTable('relay').set({ bootId: 'copy' }).execute();
  await t.db.updateTable('devicePresence').set({ online: false, offlineReason: 'relay_lost' }).execute();

  relay.send({ type: 'heartbeat', load: 0, bootId: 'boot' });
  await relay.next('greet');
  relay.hello([online(home.deviceId)]);
  await relay.next('snapshot');

  await whenPresent(t, { online: true, offlineReason: null });
});

test('a lossy line is shown to the owner until it is good again', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello([online(home.deviceId)]);
  await whenPresent(t, { online: true });
  const events: string[] = [];
  await t.listen(
    'live',
    (event) => events.push(event),
    () => undefined,
  );
  const line = async () => (await findDevice(t.db, home.deviceId))?.lossyLine;
  const lossy = { deviceId: home.deviceId, loss: { percent: 3.25, rttMs: 120 } };

  relay.send({ type: 'lines', isWhole: false, lines: [lossy, { deviceId: 999_999, loss: null }] });
  await expect.poll(line).toEqual({ percent: 3.25, rttMs: 120 });
  await expect.poll(() => events).toEqual([JSON.stringify({ userId: home.userId, topic: 'devices' })]);

  relay.send({ type: 'lines', isWhole: false, lines: [{ ...lossy, loss: null }] });
  await expect.poll(line).toBeNull();
  relay.send({ type: 'lines', isWhole: true, lines: [lossy] });
  await expect.poll(line).toEqual({ percent: 3.25, rttMs: 120 });
  relay.send({ type: 'lines', isWhole: true, lines: [] });
  await expect.poll(line).toBeNull();
  await expect.poll(() => events.length).toBe(4);
});

test('a lossy line counts only while its relay has the device, and the worst of several is shown', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  for (const id of ['r1', 'r2', 'r3']) {
    await insertRelay(t.db, { ...home, id });
    await insertPresence(t.db, { ...home, relayId: id, ...(id === 'r3' ? { offlineReason: 'no_heartbeat' } : {}) });
  }
  const lossOf = (percent: number) => ({ deviceId: home.deviceId, loss: { percent, rttMs: 40 } });
  await recordLines(t.db, 'r1', { isWhole: false, lines: [lossOf(2)] });
  await recordLines(t.db, 'r2', { isWhole: false, lines: [lossOf(5), lossOf(4)] });
  await recordLines(t.db, 'r3', { isWhole: false, lines: [lossOf(9)] });
  expect((await findDevice(t.db, home.deviceId))?.lossyLine).toEqual({ percent: 4, rttMs: 40 });
  await t.db
    .updateTable('relay')
    .set({ lastSeenAt: new Date(0) })
    .where('id', '=', 'r2')
    .execute();
  expect((await findDevice(t.db, home.deviceId))?.lossyLine).toEqual({ percent: 2, rttMs: 40 });
});

test('a relay that stops on purpose takes its devices offline at once', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello();
  relay.send({ type: 'presence', events: [online(home.deviceId)] });
  await whenPresent(t, { online: true });

  relay.close(1000);

  await whenPresent(t, { online: false, offlineReason: 'relay_stopped' });
});

test('devices of a lost relay stay online until its heartbeat times out, and after it reconnects', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openTestHub(t);
  await using first = await TestRelay.connect(server.port, relaySecret);
  first.hello([online(home.deviceId)]);
  await whenPresent(t, { online: true });

  first.terminate();
  const target = { relayIds: ['r1'], deviceId: home.deviceId, mappingId: 1 };
  await expect.poll(async () => await server.hub.probe(target)).toBeUndefined();
  await whenPresent(t, { online: true, offlineReason: null });
  await using again = await TestRelay.connect(server.port, relaySecret);
  again.hello([online(home.deviceId)]);
  await again.next('snapshot');

  await whenPresent(t, { online: true });
});

test('a second connection of the same relay replaces the first', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openTestHub(t);
  await using first = await TestRelay.connect(server.port, relaySecret);
  first.hello([online(home.deviceId)]);
  await first.next('snapshot');
  await using second = await TestRelay.connect(server.port, relaySecret);

  second.hello([online(home.deviceId)]);

  expect(await first.closed()).toBe(4000);
  await second.next('snapshot');
  await whenPresent(t, { online: true });
});
