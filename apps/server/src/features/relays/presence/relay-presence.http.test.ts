import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertHome } from '../../../testing/device-fixtures.ts';
import { online, openTestHub, relaySecret, whenPresent } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';

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
