import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { insertHome, insertUser } from '../../../testing/device-fixtures.ts';
import { captureLog } from '../../../testing/capture-log.ts';
import type { AlertDetails } from '../alert-details.ts';
import { runSender, sendDue } from './alert-sender.ts';
import { deleteOldDeliveries, insertDelivery, listSubscribedChannels } from '../delivery-store.ts';
import { claimDelivery, discardStaleDeliveries, releaseClaim } from './sending-store.ts';
import { addTestChannel, offlineDetails, senderDeps } from '../testing/alert-fixtures.ts';
import { startReceiver, type Receiver } from '../testing/receiver.ts';

const never = new AbortController().signal;
const neverStop = { drain: never, abort: never };
const since = '2026-11-21T08:00:00.000Z';

/** A webhook of an account whose device is offline. */
async function openChannel(t: TestDb, receiver: Receiver) {
  const { userId, deviceId } = await insertHome(t.db);
  const target = { kind: 'webhook', url: receiver.origin } as const;
  const channelId = await addTestChannel(t.db, userId, { target });
  await t.db
    .insertInto('notifiedAbsence')
    .values({ deviceId, since: new Date(since) })
    .execute();
  return { userId, deviceId, channelId };
}

async function queue(t: TestDb, channelId: number, details: AlertDetails): Promise<void> {
  await insertDelivery(t.db, channelId, details);
}

const login: AlertDetails = {
  event: 'new_login',
  at: '2026-11-21T08:00:00.000Z',
  browser: 'Edge',
  place: '',
  ip: '1.2.3.4',
};

async function rows(t: TestDb) {
  return await t.db
    .selectFrom('alertDelivery')
    .select(['attempts', 'sentAt', 'failedAt', 'failure'])
    .select(sql<number>`round(extract(epoch from next_try_at - now()))::integer`.as('dueInSeconds'))
    .orderBy('id')
    .execute();
}

/** The delay that was set, rounded up to half minutes because some of it has passed. */
const roundUp = (seconds: number) => Math.ceil(seconds / 30) * 30;

async function makeDue(t: TestDb): Promise<void> {
  await t.db
    .updateTable('alertDelivery')
    .set({ nextTryAt: sql<Date>`now() - interval '1 second'` })
    .execute();
}

function namesOf({ received }: Receiver): string[] {
  return received.map(({ body }) => (JSON.parse(body) as { title: string }).title);
}

test('a due delivery is sent once, however many processes send', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  for (let n = 0; n < 10; n++) await queue(t, channelId, offlineDetails({ id: deviceId, name: `d${n}` }));

  await Promise.all(Array.from({ length: 4 }, async () => await sendDue(senderDeps(t.db), neverStop)));
  await sendDue(senderDeps(t.db), neverStop);

  expect(namesOf(receiver)).toEqual(Array.from({ length: 10 }, (_, n) => `d${n} 已离线`));
  expect((await rows(t)).every(({ sentAt, attempts }) => sentAt !== null && attempts === 1)).toBe(true);
  const channel = await t.db.selectFrom('alertChannel').selectAll().executeTakeFirstOrThrow();
  expect(channel).toMatchObject({ sendingUntil: null, lastSentAt: expect.any(Date), lastFailure: null });
});

test('a channel sends one message at a time, while other channels go on', async () => {
  await using t = await openTestDb();
  const responded = Promise.withResolvers<void>();
  let [inProgress, most] = [0, 0];
  await using slow = await startReceiver(async () => {
    most = Math.max(most, ++inProgress);
    await responded.promise;
    inProgress--;
    return {};
  });
  await using quick = await startReceiver();
  const { channelId, deviceId, userId } = await openChannel(t, slow);
  const other = await addTestChannel(t.db, userId, { target: { kind: 'webhook', url: quick.origin } });
  for (let n = 0; n < 3; n++) await queue(t, channelId, offlineDetails({ id: deviceId }));
  for (let n = 0; n < 3; n++) await queue(t, other, offlineDetails({ id: deviceId }));

  const sending = [sendDue(senderDeps(t.db), neverStop), sendDue(senderDeps(t.db), neverStop)];
  await expect.poll(() => [quick.received.length, slow.received.length]).toEqual([3, 1]);
  responded.resolve();
  await Promise.all(sending);
  await sendDue(senderDeps(t.db), neverStop);

  expect([slow.received.length, most]).toEqual([3, 1]);
});

test('a failed delivery is tried again with growing delays, and fails for good in the end', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => ({ status: 503 }));
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  const waits: number[] = [];

  for (let attempt = 0; attempt < 6; attempt++) {
    await makeDue(t);
    await sendDue(senderDeps(t.db), neverStop);
    waits.push((await rows(t))[0]?.dueInSeconds ?? 0);
  }

  expect(waits.slice(0, 5).map((wait) => roundUp(wait))).toEqual([30, 120, 600, 1800, 7200]);
  expect(await rows(t)).toMatchObject([
    { attempts: 6, sentAt: null, failedAt: expect.any(Date), failure: 'server_error' },
  ]);
  expect(await t.db.selectFrom('alertChannel').select('lastFailure').execute()).toEqual([
    { lastFailure: 'server_error' },
  ]);
  await makeDue(t);
  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toHaveLength(6);
});

test('a failure postpones the channel’s other deliveries without counting as a try of theirs', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => ({ status: 503 }));
  const { channelId, deviceId } = await openChannel(t, receiver);
  for (let n = 0; n < 3; n++) await queue(t, channelId, offlineDetails({ id: deviceId }));

  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toHaveLength(1);
  await makeDue(t);
  await sendDue(senderDeps(t.db), neverStop);

  expect(receiver.received).toHaveLength(2);
  const waiting = await rows(t);
  expect(waiting.map(({ attempts }) => attempts)).toEqual([2, 0, 0]);
  expect(waiting.map(({ dueInSeconds }) => roundUp(dueInSeconds))).toEqual([120, 120, 120]);
});

test('a failure does not bring forward a delivery that is due later', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => ({ status: 503 }));
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  await sql`update alert_delivery set next_try_at = now() + interval '2 hours'`.execute(t.db);
  await queue(t, channelId, offlineDetails({ id: deviceId }));

  await sendDue(senderDeps(t.db), neverStop);

  expect((await rows(t)).map(({ dueInSeconds }) => roundUp(dueInSeconds))).toEqual([7200, 30]);
});

test('a user with unresponsive receivers has two in progress, and other users’ alerts are sent', async () => {
  await using t = await openTestDb();
  const responded = Promise.withResolvers<object>();
  await using silent = await startReceiver(async () => await responded.promise);
  await using quick = await startReceiver();
  const { userId, deviceId, channelId } = await openChannel(t, silent);
  const target = { kind: 'webhook', url: silent.origin } as const;
  const channels = [channelId];
  while (channels.length < 10) channels.push(await addTestChannel(t.db, userId, { target }));
  for (const id of channels) await queue(t, id, offlineDetails({ id: deviceId }));
  const otherUserId = await insertUser(t.db, 'wang');
  const other = await addTestChannel(t.db, otherUserId, { target: { kind: 'webhook', url: quick.origin } });
  await queue(t, other, login);

  const sending = sendDue(senderDeps(t.db), neverStop);
  await expect.poll(() => [quick.received.length, silent.received.length]).toEqual([1, 2]);
  responded.resolve({});
  await sending;

  expect(silent.received).toHaveLength(10);
});

test('when nothing is due, one query is made', async () => {
  await using t = await openTestDb();
  let queries = 0;
  const counting = t.db.withPlugin({
    transformQuery: ({ node }) => (queries++, node),
    transformResult: async ({ result }) => result,
  });

  await sendDue(senderDeps(counting), neverStop);

  expect(queries).toBe(1);
});

test('details of another server version are tried later, and other deliveries are sent', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  for (const name of ['first', 'second']) await queue(t, channelId, offlineDetails({ id: deviceId, name }));
  await sql`update alert_delivery set details = '{"event":"device_offline","groups":[]}'
    where id = (select min(id) from alert_delivery)`.execute(t.db);
  const logged = captureLog();

  await sendDue(senderDeps(t.db, { log: logged.log }), neverStop);

  expect(namesOf(receiver)).toEqual(['second 已离线']);
  expect(await rows(t)).toMatchObject([
    { sentAt: null, failedAt: null, failure: 'unreachable' },
    { sentAt: expect.any(Date) },
  ]);
  expect(logged.lines[0]).toMatchObject({ channelId, msg: 'an alert could not be sent' });
});

test('an internal error is not shown as a failure of the channel', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  await sql`update alert_delivery set details = '{"event":"device_offline","groups":[]}'`.execute(t.db);

  await sendDue(senderDeps(t.db, { log: captureLog().log }), neverStop);

  expect(await t.db.selectFrom('alertChannel').select(['lastFailedAt', 'lastFailure']).execute()).toEqual([
    { lastFailedAt: null, lastFailure: null },
  ]);
});

test('a failure postpones the channel’s other deliveries by ten minutes at most', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => ({ status: 503 }));
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  await sql`update alert_delivery set attempts = 4`.execute(t.db);
  await queue(t, channelId, offlineDetails({ id: deviceId }));

  await sendDue(senderDeps(t.db), neverStop);

  expect((await rows(t)).map(({ dueInSeconds }) => roundUp(dueInSeconds))).toEqual([7200, 600]);
});

test('a process whose claim was replaced neither records an outcome nor releases the new claim', async () => {
  await using t = await openTestDb();
  const responded = Promise.withResolvers<object>();
  await using receiver = await startReceiver(async () => await responded.promise);
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  const sending = sendDue(senderDeps(t.db), neverStop);
  await expect.poll(() => receiver.received).toHaveLength(1);
  await t.db
    .updateTable('alertChannel')
    .set({ sendingUntil: sql<Date>`now()` })
    .execute();

  const later = await claimDelivery(t.db);
  responded.resolve({ status: 401 });
  await sending;

  expect(await rows(t)).toMatchObject([{ attempts: 2, sentAt: null, failedAt: null, failure: null }]);
  expect(await releaseClaim(t.db, later!.channel)).toBe(true);
});

test('a rejected delivery is not tried again', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => ({ status: 401 }));
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));

  await sendDue(senderDeps(t.db), neverStop);
  await makeDue(t);
  await sendDue(senderDeps(t.db), neverStop);

  expect(receiver.received).toHaveLength(1);
  expect(await rows(t)).toMatchObject([{ attempts: 1, failedAt: expect.any(Date), failure: 'rejected' }]);
});

test('after a success the channel’s failed deliveries are due at once and its failure is cleared', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => ({ status: 503 }));
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId, name: 'first' }));
  await sendDue(senderDeps(t.db), neverStop);

  receiver.respond = () => ({});
  await queue(t, channelId, offlineDetails({ id: deviceId, name: 'second' }));
  await sendDue(senderDeps(t.db), neverStop);

  expect(namesOf(receiver)).toEqual(['first 已离线', 'second 已离线', 'first 已离线']);
  expect(await t.db.selectFrom('alertChannel').select(['lastFailedAt', 'lastFailure']).execute()).toEqual([
    { lastFailedAt: null, lastFailure: null },
  ]);
});

test('a channel sends twenty messages an hour, logins first', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  for (let n = 0; n < 22; n++) await queue(t, channelId, offlineDetails({ id: deviceId }));
  await queue(t, channelId, login);

  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toHaveLength(20);
  expect(namesOf(receiver)[0]).toBe('账号有新的登录');

  const sentAt = sql<Date>`sent_at - interval '1 hour'`;
  await t.db.updateTable('alertDelivery').set({ sentAt }).where('sentAt', 'is not', null).execute();
  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toHaveLength(23);
});

test('the delivery of a killed process is sent after its claim has expired', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  expect(await claimDelivery(t.db)).toMatchObject({ attempts: 1, channel: { id: channelId } });

  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toEqual([]); // still claimed
  await t.db
    .updateTable('alertChannel')
    .set({ sendingUntil: sql<Date>`now() - interval '1 second'` })
    .execute();
  await sendDue(senderDeps(t.db), neverStop);

  expect(receiver.received).toHaveLength(1);
  expect(await rows(t)).toMatchObject([{ attempts: 2, sentAt: expect.any(Date) }]);
});

test('a sender that stops aborts unanswered messages, and the next start sends them', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver(() => undefined);
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));

  const first = runSender(senderDeps(t.db));
  await expect.poll(() => receiver.received).toHaveLength(1);
  await first[Symbol.asyncDispose]();
  expect(await rows(t)).toMatchObject([{ sentAt: null, failedAt: null }]);

  receiver.respond = () => ({});
  await using _next = runSender(senderDeps(t.db));
  await expect.poll(() => rows(t)).toMatchObject([{ sentAt: expect.any(Date) }]);
  expect(receiver.received).toHaveLength(2);
});

test.each([
  ['disabled', { enabled: false }],
  ['muted', { alertsEnabled: false }],
])('a pending alert about a device that was %s is not sent', async (_, change) => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  await t.db.updateTable('device').set(change).execute();

  await sendDue(senderDeps(t.db), neverStop);

  expect(receiver.received).toEqual([]);
  expect(await rows(t)).toEqual([]);
});

test('a pending alert about several devices leaves out those that were deleted', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }, { id: deviceId + 1, name: 'deleted' }));

  await sendDue(senderDeps(t.db), neverStop);

  expect(namesOf(receiver)).toEqual(['NAS 已离线']);
});

test('a delayed alert says that the device is back', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  await t.db.deleteFrom('notifiedAbsence').execute();

  await sendDue(senderDeps(t.db), neverStop);

  expect(namesOf(receiver)).toEqual(['NAS 曾经离线']);
});

test('pending alerts of a channel that was disabled or unsubscribed are not sent', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId, userId } = await openChannel(t, receiver);
  const target = { kind: 'webhook', url: receiver.origin } as const;
  const other = await addTestChannel(t.db, userId, { target });
  for (const id of [channelId, other]) await queue(t, id, offlineDetails({ id: deviceId }));
  await t.db.updateTable('alertChannel').set({ enabled: false }).where('id', '=', channelId).execute();
  await t.db
    .updateTable('alertChannel')
    .set({ events: ['new_login'] })
    .where('id', '=', other)
    .execute();

  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toEqual([]);
  await discardStaleDeliveries(t.db);
  await t.db
    .updateTable('alertChannel')
    .set({ enabled: true, events: ['device_offline'] })
    .execute();
  await sendDue(senderDeps(t.db), neverStop);

  expect(receiver.received).toEqual([]);
});

test('a delivery that is a day old fails for good', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  await queue(t, channelId, offlineDetails({ id: deviceId }));
  await sql`update alert_delivery set created_at = now() - interval '25 hours'`.execute(t.db);

  await sendDue(senderDeps(t.db), neverStop);
  expect(receiver.received).toEqual([]);

  await discardStaleDeliveries(t.db);
  expect(await rows(t)).toMatchObject([{ failedAt: expect.any(Date), failure: 'rate_limited' }]);
});

test('deliveries are kept for 30 days', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId } = await openChannel(t, receiver);
  for (let n = 0; n < 2; n++) await queue(t, channelId, offlineDetails({ id: deviceId }));
  await sql`update alert_delivery set created_at = now() - interval '29 days'`.execute(t.db);
  await sql`
    update alert_delivery set created_at = now() - interval '31 days'
    where id = (select min(id) from alert_delivery)`.execute(t.db);

  await deleteOldDeliveries(t.db);

  expect(await rows(t)).toHaveLength(1);
});

test('a channel has a hundred pending deliveries at most', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId, userId } = await openChannel(t, receiver);
  for (let n = 0; n < 99; n++) await queue(t, channelId, offlineDetails({ id: deviceId }));

  expect(await listSubscribedChannels(t.db, userId, 'device_offline')).toHaveLength(1);
  await queue(t, channelId, offlineDetails({ id: deviceId }));

  expect(await listSubscribedChannels(t.db, userId, 'device_offline')).toEqual([]);
});

test('a target that cannot be decrypted fails its own deliveries only, and is not logged', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  const { channelId, deviceId, userId } = await openChannel(t, receiver);
  const other = await addTestChannel(t.db, userId, { target: { kind: 'webhook', url: receiver.origin } });
  await t.db
    .updateTable('alertChannel')
    .set({ targetSealed: Buffer.alloc(60) })
    .where('id', '=', channelId)
    .execute();
  for (const id of [channelId, other]) await queue(t, id, offlineDetails({ id: deviceId }));

  const logged = captureLog();

  await sendDue(senderDeps(t.db, { log: logged.log }), neverStop);

  expect(receiver.received).toHaveLength(1);
  expect((await rows(t)).map(({ failure }) => failure)).toEqual(['unreachable', null]);
  expect(logged.lines).toMatchObject([{ channelId, msg: 'an alert could not be sent' }]);
});
