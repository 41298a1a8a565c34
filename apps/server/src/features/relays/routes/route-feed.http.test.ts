import type { ServerToRelay } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping } from '../../../testing/device-fixtures.ts';
import { announceDeviceChange } from '../../live/index.ts';
import { online, openTestHub, relaySecret, whenPresent } from '../testing/open-test-hub.ts';
import { TestRelay } from '../testing/test-relay.ts';

test('a relay gets a snapshot after its hello', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  const off = await insertDevice(t.db, { ...home, enabled: false });
  const device = await t.db
    .selectFrom('device')
    .where('id', '=', home.deviceId)
    .select(['uid', 'publicKey'])
    .executeTakeFirstOrThrow();
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);

  relay.hello([online(home.deviceId)]);

  expect(await relay.next('snapshot')).toEqual({
    type: 'snapshot',
    version: 1,
    isFirst: true,
    isLast: true,
    keptDeviceIds: [],
    gateKey: Buffer.alloc(32, 1).toString('base64url'),
    consoleUrl: 'http://localhost:8080',
    devices: [
      {
        deviceId: home.deviceId,
        userId: home.userId,
        uid: device.uid,
        publicKey: device.publicKey?.toString('base64url'),
        enabled: true,
        allowList: [],
        bandwidthBps: null,
        routes: [
          {
            mappingId,
            kind: 'http',
            host: 'nas.localhost',
            isOwnDomain: false,
            port: null,
            targetHost: '192.168.1.10',
            targetPort: 5000,
            hostHeader: 'keep',
            hostName: '',
            visitorFields: 'send',
            forwardedProto: 'follow_host',
            originFields: 'follow_host',
            tlsName: '',
            answerTimeoutS: 60,
            silenceTimeoutS: 3_600,
            visitLogDays: 0,
            verifyTls: false,
            tlsPassthrough: false,
            proxyProtocol: false,
            policy: 'owner',
            enabled: true,
            opensAtMs: null,
            closesAtMs: null,
            hours: null,
            verifiedIps: [],
            extendedVerifications: [],
            revokedVerifications: [],
            clientWindowUntilMs: null,
          },
        ],
      },
      expect.objectContaining({ deviceId: off, enabled: false, routes: [] }),
    ],
  });
  await whenPresent(t, { online: true });
});

test('changes reach every relay in order, with consecutive versions, and the last one is the current state', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const deletedId = await insertDevice(t.db, home);
  await using server = await openTestHub(t);
  await using one = await TestRelay.connect(server.port, relaySecret);
  await using two = await TestRelay.connect(server.port, relaySecret);
  one.hello([], 'r1');
  two.hello([], 'r2');
  await Promise.all([one.next('snapshot'), two.next('snapshot')]);

  const setEnabled = async (enabled: boolean): Promise<void> => {
    await t.db.transaction().execute(async (tx) => {
      await tx.updateTable('device').set({ enabled }).where('id', '=', home.deviceId).execute();
      await announceDeviceChange(tx, home);
    });
  };
  for (let round = 0; round < 10; round++) await setEnabled(round % 2 === 1);
  await setEnabled(false);
  await t.db.deleteFrom('device').where('id', '=', deletedId).execute();
  await announceDeviceChange(t.db, { deviceId: deletedId, userId: home.userId });

  for (const relay of [one, two]) {
    const seen: ServerToRelay[] = [];
    do seen.push(await relay.nextOfAny());
    while (seen.at(-1)?.type !== 'device_removed');
    expect(seen.map((message) => 'version' in message && message.version)).toEqual(seen.map((_, index) => index + 2));
    expect(seen.at(-1)).toMatchObject({ type: 'device_removed', deviceId: deletedId });
    expect(seen.at(-2)).toMatchObject({ type: 'device', device: { deviceId: home.deviceId, enabled: false } });
  }
});

test('a change reaches the relays of every process once, and those of the answering process before the answer', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using here = await openTestHub(t);
  await using elsewhere = await openTestHub(t);
  await using near = await TestRelay.join(here.port, relaySecret);
  await using far = await TestRelay.join(elsewhere.port, relaySecret);

  for (const enabled of [false, true]) {
    const change = await t.db.transaction().execute(async (tx) => {
      await tx.updateTable('device').set({ enabled }).where('id', '=', home.deviceId).execute();
      return await announceDeviceChange(tx, home);
    });
    await here.hub.whenSent(change);
    for (const relay of [near, far]) expect(await relay.next('device')).toMatchObject({ device: { enabled } });
  }

  // Nothing was sent twice: the next message has the next version.
  await announceDeviceChange(t.db, home);
  for (const relay of [near, far]) expect(await relay.nextOfAny()).toMatchObject({ type: 'device', version: 4 });
});

test('a relay gets a new snapshot after resync', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.connect(server.port, relaySecret);
  relay.hello();
  expect(await relay.next('snapshot')).toMatchObject({ version: 1 });

  relay.send({ type: 'resync' });

  expect(await relay.next('snapshot')).toMatchObject({ version: 2, devices: [expect.any(Object)] });
});

test('an invalid notification is ignored', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  await t.pool.query(`select pg_notify('device_changed', 'rubbish'), pg_notify('device_changed', '{"deviceId":"x"}')`);
  await announceDeviceChange(t.db, home);

  expect(await relay.nextOfAny()).toMatchObject({ type: 'device', version: 2 });
});

test('after a lost notification connection every relay gets a new snapshot', async () => {
  await using t = await openTestDb();
  await insertHome(t.db);
  await using server = await openTestHub(t);
  await using relay = await TestRelay.join(server.port, relaySecret);

  await t.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tongtu-listen'`,
  );

  expect(await relay.next('snapshot')).toMatchObject({ version: 2 });
});

test('relays get a device’s allow-list and its own bandwidth, or the installation’s', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const fast = await insertDevice(t.db, home);
  const allowList = ['203.0.113.0/24', '2001:db8::1'];
  await t.db.updateTable('device').set({ allowList }).where('id', '=', home.deviceId).execute();
  await t.db.updateTable('device').set({ bandwidthBps: 8_000_000 }).where('id', '=', fast).execute();
  await using server = await openTestHub(t, { defaultBandwidthBps: 4_000_000, sealingKey: Buffer.alloc(32, 2) });
  await using relay = await TestRelay.connect(server.port, relaySecret);

  relay.hello();

  expect((await relay.next('snapshot')).devices).toMatchObject([
    { deviceId: home.deviceId, allowList, bandwidthBps: 4_000_000 },
    { deviceId: fast, allowList: [], bandwidthBps: 8_000_000 },
  ]);
  await announceDeviceChange(t.db, home);
  expect((await relay.next('device')).device).toMatchObject({ allowList, bandwidthBps: 4_000_000 });
});
