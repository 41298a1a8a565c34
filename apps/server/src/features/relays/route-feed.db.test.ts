import type { ServerToRelay } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertDevice, insertHome, insertMapping } from '../../testing/device-fixtures.ts';
import type { DeviceChange } from '../live/index.ts';
import { RouteFeed } from './route-feed.ts';

function createFeed({ db }: TestDb, log = pino({ level: 'silent' })): RouteFeed {
  const gateKey = Buffer.alloc(32, 1);
  return new RouteFeed({ db, log, gateKey, consoleUrl: 'http://localhost:8080', defaultBandwidthBps: null });
}

let changes = 0;

/** One that there has not been before. */
function change(deviceId: number): DeviceChange {
  return { deviceId, version: String(++changes) };
}

/** What one relay is sent after its first picture. */
async function subscribe(feed: RouteFeed): Promise<ServerToRelay[]> {
  const sent: ServerToRelay[] = [];
  const send = (message: ServerToRelay): void => void sent.push(message);
  feed.subscribe({ send, deliver: async (message) => send(message) });
  await expect.poll(() => sent.splice(0)).toMatchObject([{ type: 'snapshot' }]);
  return sent;
}

/** While it runs nobody can read a route. */
async function whileRoutesAreLocked(t: TestDb, run: () => Promise<void>): Promise<void> {
  await t.db.transaction().execute(async (tx) => {
    await sql`lock table mapping in access exclusive mode`.execute(tx);
    await run();
  });
}

test('an answer waits until its relays have been sent the change', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);

  await feed.whenSent(change(deviceId));

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
  const saved = change(deviceId);

  for (const step of order) {
    if (step === 'notification') feed.deviceChanged(saved);
    else await feed.whenSent(saved);
  }
  await feed.whenSent(change(deviceId));

  expect(sent).toMatchObject([
    { type: 'device', version: 2 },
    { type: 'device', version: 3 },
  ]);
});

test('a change that comes while the one before is read is read after it', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);
  const [first, second] = [change(deviceId), change(deviceId)];
  const answers: Promise<void>[] = [];

  await whileRoutesAreLocked(t, async () => {
    answers.push(feed.whenSent(first));
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    answers.push(feed.whenSent(second), feed.whenSent(first));
    feed.deviceChanged(second);
  });
  await Promise.all(answers);
  await feed.whenSent(first);

  expect(sent).toMatchObject([
    { type: 'device', version: 2 },
    { type: 'device', version: 3 },
  ]);
});

test('while the database does not answer nobody waits for long, and relays are sent the change once when it does', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const sent = await subscribe(feed);
  const saved = change(deviceId);

  await whileRoutesAreLocked(t, async () => {
    await Promise.all([feed.whenSent(saved), feed.whenSent(saved)]);
    expect(await countWaiting(t)).toBe(1);
  });
  feed.deviceChanged(saved);

  await expect.poll(() => sent.length).toBeGreaterThan(0);
  await feed.whenSent(change(deviceId));
  expect(sent).toMatchObject([
    { type: 'device', version: 2 },
    { type: 'device', version: 3 },
  ]);
});

test('an answer is waited for before other changes, however many there are', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const others: number[] = [];
  for (let n = 0; n < 250; n++) others.push(await insertDevice(t.db, home));
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe({ ...relay, deliver: async (message) => relay.send(message) });
  await expect.poll(() => relay.parts().at(-1)?.isLast).toBe(true);
  relay.sent.length = 0;

  // While the first one is read the others come.
  feed.deviceChanged({ deviceId: home.deviceId });
  for (const deviceId of others) feed.deviceChanged({ deviceId });
  await feed.whenSent(change(must(others.at(-1), 'the last device')));

  const sentIds = relay.sent.map((message) => message.type === 'device' && message.device.deviceId);
  expect(sentIds.length).toBeLessThan(250);
});

test('where no relay is connected nobody waits for the database', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);

  await whileRoutesAreLocked(t, async () => {
    await feed.whenSent(change(deviceId));
    expect(await countWaiting(t)).toBe(0);
  });
});

test('a stop lets those go that wait, and nobody waits after it', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  const feed = createFeed(t);
  const sent = await subscribe(feed);
  const stopped: Promise<void>[] = [];

  await whileRoutesAreLocked(t, async () => {
    const sent = feed.whenSent(change(deviceId));
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    stopped.push(feed[Symbol.asyncDispose]());
    await sent;
    await feed.whenSent(change(deviceId));
  });
  await Promise.all(stopped);

  await feed.whenSent(change(deviceId));
  expect(sent).toEqual([]);
});

type Part = Extract<ServerToRelay, { type: 'snapshot' }>;

/** A relay that reads on only when the test says so. */
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

/** `times` proofs that relays must be sent, at a mapping of its own of each device. */
async function insertTold(
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

test('a picture goes out in parts, each when the one before has left; what changes comes between', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  for (let n = 1; n < 450; n++) await insertDevice(t.db, home);
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe(relay);
  await expect.poll(() => relay.sent.length).toBe(1);

  feed.deviceChanged({ deviceId: home.deviceId });
  await expect.poll(() => relay.sent.length).toBe(2);
  relay.readOn();
  await expect.poll(() => relay.sent.length).toBe(3);
  relay.readOn();
  await expect.poll(() => relay.sent.length).toBe(4);
  relay.readOn();
  await feed.whenSent(change(home.deviceId));

  expect(relay.sent.map(({ type }) => type)).toEqual(['snapshot', 'device', 'snapshot', 'snapshot', 'device']);
  expect(relay.sent.map((message) => 'version' in message && message.version)).toEqual([1, 2, 3, 4, 5]);
  const parts = relay.parts();
  expect(parts.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
  expect(parts.map(({ isLast }) => isLast)).toEqual([false, false, true]);
  expect(parts.map(({ devices }) => devices.length)).toEqual([200, 200, 50]);
  expect(new Set(parts.flatMap(({ devices }) => devices.map(({ deviceId }) => deviceId))).size).toBe(450);
});

test('a part holds no more than a message should, however much there is of each device', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const others = [await insertDevice(t.db, home), await insertDevice(t.db, home)];
  await insertTold(t, home, [home.deviceId, ...others], 6_000);
  await using feed = createFeed(t);
  const relay = createSlowRelay();
  feed.subscribe({ ...relay, deliver: async (message) => relay.send(message) });

  await expect.poll(() => relay.parts().at(-1)?.isLast).toBe(true);
  expect(relay.parts().map(({ devices }) => devices.length)).toEqual([1, 1, 1]);
});

test('a relay that does not read keeps no other from hearing', async () => {
  await using t = await openTestDb();
  const { deviceId } = await insertHome(t.db);
  await using feed = createFeed(t);
  const stuck = createSlowRelay();
  feed.subscribe(stuck);
  await expect.poll(() => stuck.sent.length).toBe(1);

  const sent = await subscribe(feed);
  await feed.whenSent(change(deviceId));

  expect(sent).toMatchObject([{ type: 'device', device: { deviceId } }]);
});

test('a relay that asks anew gets a picture from the beginning, whatever is under way', async () => {
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
  ['there is too much of', 40_001, false],
  ['cannot be read', 1, true],
])('a device that %s holds up no other: it stays as it was, and the log says which', async (_what, times, isSpoilt) => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const others = [await insertDevice(t.db, home), await insertDevice(t.db, home)];
  const [bad = 0, last = 0] = others;
  const [mappingId = 0] = await insertTold(t, home, [bad], times);
  // A time without end cannot be sent.
  const spoil = { expiresAt: sql<Date>`'infinity'` };
  if (isSpoilt) await t.db.updateTable('verification').set(spoil).where('mappingId', '=', mappingId).execute();
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
  feed.deviceChanged({ deviceId: bad });
  await Promise.all([feed.whenSent(change(bad)), feed.whenSent(change(last))]);
  expect(relay.sent).toMatchObject([{ type: 'device', device: { deviceId: last } }]);
});
