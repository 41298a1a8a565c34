import type { ServerToRelay } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { countWaiting } from '../../../testing/count-waiting.ts';
import { insertCloudApp } from '../../../testing/cloud-app-fixtures.ts';
import { insertDevice, insertHome, insertMapping } from '../../../testing/device-fixtures.ts';
import type { DeviceChange } from '../../live/index.ts';
import { RouteFeed } from './route-feed.ts';

function createFeed({ db }: TestDb, log = pino({ level: 'silent' })): RouteFeed {
  const gateKey = Buffer.alloc(32, 1);
  return new RouteFeed({
    db,
    log,
    gateKey,
    consoleUrl: 'http://localhost:8080',
    defaultBandwidthBps: null,
    sealingKey: Buffer.alloc(32, 2),
  });
}

let lastVersion = 0;

/** A change with a new version. */
function newChange(deviceId: number): DeviceChange {
  return { deviceId, version: String(++lastVersion) };
}

/** Subscribes a relay. Returns the messages that it gets after its first snapshot. */
async function subscribe(feed: RouteFeed): Promise<ServerToRelay[]> {
  const sent: ServerToRelay[] = [];
  const send = (message: ServerToRelay): void => void sent.push(message);
  feed.subscribe({ send, deliver: async (message) => send(message) });
  await expect.poll(() => sent.splice(0)).toMatchObject([{ type: 'snapshot' }]);
  return sent;
}

/** Runs with the table of mappings locked, so that no route can be read. */
async function whileRoutesAreLocked(t: TestDb, run: () => Promise<void>): Promise<void> {
  await t.db.transaction().execute(async (tx) => {
    await sql`lock table mapping in access exclusive mode`.execute(tx);
    await run();
  });
}

test('whenSent resolves when the relays have been sent the change', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);

  await feed.whenSent(newChange(deviceId));

  expect(sent).toMatchObject([{ type: 'device', version: 2, device: { deviceId } }]);
});

test.each([
  ['before the answer', ['notification', 'answer']],
  ['after the answer', ['answer', 'notification']],
])('relays are sent a change once when its notification comes %s', async (_when, order) => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);
  const saved = newChange(deviceId);

  for (const step of order) {
    if (step === 'notification') feed.sendDevice(saved);
    else await feed.whenSent(saved);
  }
  await feed.whenSent(newChange(deviceId));

  expect(sent).toMatchObject([
    { type: 'device', version: 2 },
    { type: 'device', version: 3 },
  ]);
});

test('a change that arrives while another is read is read after it', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);
  const [first, second] = [newChange(deviceId), newChange(deviceId)];
  const answers: Promise<void>[] = [];

  await whileRoutesAreLocked(t, async () => {
    answers.push(feed.whenSent(first));
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    answers.push(feed.whenSent(second), feed.whenSent(first));
    feed.sendDevice(second);
  });
  await Promise.all(answers);
  await feed.whenSent(first);

  expect(sent).toMatchObject([
    { type: 'device', version: 2 },
    { type: 'device', version: 3 },
  ]);
});

test('while the database does not answer whenSent resolves after two seconds, and the change is sent once afterwards', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);
  const saved = newChange(deviceId);

  await whileRoutesAreLocked(t, async () => {
    await Promise.all([feed.whenSent(saved), feed.whenSent(saved)]);
    expect(await countWaiting(t)).toBe(1);
  });
  feed.sendDevice(saved);

  await expect.poll(() => sent.length).toBeGreaterThan(0);
  await feed.whenSent(newChange(deviceId));
  expect(sent).toMatchObject([
    { type: 'device', version: 2 },
    { type: 'device', version: 3 },
  ]);
});

test('a change with a waiting answer is sent before other changes', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const others: number[] = [];
  for (let n = 0; n < 250; n++) others.push(await insertDevice(t.db, home));
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe({ ...relay, deliver: async (message) => relay.send(message) });
  await expect.poll(() => relay.parts().at(-1)?.isLast).toBe(true);
  relay.sent.length = 0;

  // The others arrive while the first one is read.
  feed.sendDevice({ deviceId: home.deviceId });
  for (const deviceId of others) feed.sendDevice({ deviceId });
  await feed.whenSent(newChange(must(others.at(-1), 'the last device')));

  const sentIds = relay.sent.map((message) => message.type === 'device' && message.device.deviceId);
  expect(sentIds.length).toBeLessThan(250);
});

test('without relays whenSent does not wait for the database', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);

  await whileRoutesAreLocked(t, async () => {
    await feed.whenSent(newChange(deviceId));
    expect(await countWaiting(t)).toBe(0);
  });
});

test('a stop resolves every whenSent, also later ones', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  const feed = createFeed(t);
  const sent = await subscribe(feed);
  const stopped: Promise<void>[] = [];

  await whileRoutesAreLocked(t, async () => {
    const sent = feed.whenSent(newChange(deviceId));
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    stopped.push(feed[Symbol.asyncDispose]());
    await sent;
    await feed.whenSent(newChange(deviceId));
  });
  await Promise.all(stopped);

  await feed.whenSent(newChange(deviceId));
  expect(sent).toEqual([]);
});

type Part = Extract<ServerToRelay, { type: 'snapshot' }>;

/** A relay that reads the next part only when the test calls `readOn`. */
function createSlowRelay() {
  const sent: ServerToRelay[] = [];
  let readOn: () => void = () => undefined;
  return {
    sent,
    send: (message: ServerToRelay): void => void sent.push(message),
    deliver: async (message: ServerToRelay): Promise<void> => {
      sent.push(message);
      await new Promise<void>((resolve) => (readOn = resolve));
    },
    readOn: () => readOn(),
    parts: () => sent.filter((message): message is Part => message.type === 'snapshot'),
  };
}

/** Inserts a mapping for each device, with `times` proofs that are published to relays. */
async function insertPublished(
  { db }: TestDb,
  home: { userId: number; serverId: number },
  deviceIds: number[],
  times: number,
) {
  const mappingIds: number[] = [];
  for (const deviceId of deviceIds)
    mappingIds.push(await insertMapping(db, { ...home, deviceId, prefix: `n${deviceId}` }));
  await sql`
    insert into verification (owner_id, device_id, mapping_id, host, visitor_ip, user_agent, expires_at, cookie_expires_at)
    select ${home.userId}, device_id, mapping.id, 'nas.localhost', '203.0.113.1', '', now() + interval '1 year', now()
    from unnest(${mappingIds}::integer[]) as chosen join mapping on mapping.id = chosen, generate_series(1, ${times}::integer)`.execute(
    db,
  );
  return mappingIds;
}

test('a snapshot is sent in parts, each after the previous one has left, with changes in between', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  for (let n = 1; n < 450; n++) await insertDevice(t.db, home);
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe(relay);
  await expect.poll(() => relay.sent.length).toBe(1);

  feed.sendDevice({ deviceId: home.deviceId });
  await expect.poll(() => relay.sent.length).toBe(2);
  relay.readOn();
  await expect.poll(() => relay.sent.length).toBe(3);
  relay.readOn();
  await expect.poll(() => relay.sent.length).toBe(4);
  relay.readOn();
  await feed.whenSent(newChange(home.deviceId));

  expect(relay.sent.map(({ type }) => type)).toEqual(['snapshot', 'device', 'snapshot', 'snapshot', 'device']);
  expect(relay.sent.map((message) => 'version' in message && message.version)).toEqual([1, 2, 3, 4, 5]);
  const parts = relay.parts();
  expect(parts.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
  expect(parts.map(({ isLast }) => isLast)).toEqual([false, false, true]);
  expect(parts.map(({ devices }) => devices.length)).toEqual([200, 200, 50]);
  expect(new Set(parts.flatMap(({ devices }) => devices.map(({ deviceId }) => deviceId))).size).toBe(450);
});

test('a part has fewer devices if they have many proofs', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const others = [await insertDevice(t.db, home), await insertDevice(t.db, home)];
  await insertPublished(t, home, [home.deviceId, ...others], 6_000);
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe({ ...relay, deliver: async (message) => relay.send(message) });

  await expect.poll(() => relay.parts().at(-1)?.isLast).toBe(true);
  expect(relay.parts().map(({ devices }) => devices.length)).toEqual([1, 1, 1]);
});

test('a relay that does not read does not block others', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const stuck = createSlowRelay();
  feed.subscribe(stuck);
  await expect.poll(() => stuck.sent.length).toBe(1);

  const sent = await subscribe(feed);
  await feed.whenSent(newChange(deviceId));

  expect(sent).toMatchObject([{ type: 'device', device: { deviceId } }]);
});

test('a relay that subscribes again gets a snapshot from the beginning', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  for (let n = 1; n < 250; n++) await insertDevice(t.db, home);
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe(relay);
  await expect.poll(() => relay.sent.length).toBe(1);
  feed.subscribe(relay);
  await expect.poll(() => relay.sent.length).toBe(2);
  relay.readOn();
  await expect.poll(() => relay.sent.length).toBe(3);

  expect(relay.parts().map(({ isFirst, isLast }) => [isFirst, isLast])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ]);
});

test.each([
  ['is too large', 40_001, false],
  ['cannot be read', 1, true],
])(
  'a device that %s does not block others: relays keep it as it was, and it is logged',
  async (_what, times, isInvalid) => {
    await using t = await openTestDb();
    const home = await insertHome(t.db);
    const others = [await insertDevice(t.db, home), await insertDevice(t.db, home)];
    const [bad = 0, last = 0] = others;
    const [mappingId = 0] = await insertPublished(t, home, [bad], times);
    // An infinite time cannot be sent.
    const invalid = { expiresAt: sql<Date>`'infinity'` };
    if (isInvalid) await t.db.updateTable('verification').set(invalid).where('mappingId', '=', mappingId).execute();
    const lines: string[] = [];
    await using feed = createFeed(t, pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }));
    const relay = createSlowRelay();
    feed.subscribe({ ...relay, deliver: async (message) => relay.send(message) });
    await expect.poll(() => relay.parts().at(-1)?.isLast).toBe(true);

    const sentIds = relay.parts().flatMap(({ devices }) => devices.map(({ deviceId }) => deviceId));
    expect(sentIds).toEqual([home.deviceId, last]);
    expect(relay.parts().flatMap(({ keptDeviceIds }) => keptDeviceIds)).toEqual([bad]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ deviceId: bad }]);

    relay.sent.length = 0;
    feed.sendDevice({ deviceId: bad });
    await Promise.all([feed.whenSent(newChange(bad)), feed.whenSent(newChange(last))]);
    expect(relay.sent).toMatchObject([{ type: 'device', device: { deviceId: last } }]);
  },
);

test('relays get the targets of a device’s enabled cloud apps, and nothing of a device without one', async () => {
  await using t = await openTestDb();
  const { deviceId, userId, serverId } = await insertHome(t.db);
  const otherId = await insertDevice(t.db, { userId, serverId });
  const appId = await insertCloudApp(t.db, { deviceId, targetHost: '192.168.1.7' });
  await insertCloudApp(t.db, { deviceId, enabled: false });
  await insertCloudApp(t.db, { deviceId: otherId, enabled: false });
  await using feed = createFeed(t);
  const sent = await subscribe(feed);

  await feed.whenSent(newChange(deviceId));
  await feed.whenSent(newChange(otherId));

  const devices = sent.map((message) => (message.type === 'device' ? message.device : undefined));
  expect(devices).toMatchObject([
    { deviceId, apps: [{ appId, targetHost: '192.168.1.7', targetPort: 22 }] },
    { deviceId: otherId },
  ]);
  expect(devices[1]).not.toHaveProperty('apps');
});
