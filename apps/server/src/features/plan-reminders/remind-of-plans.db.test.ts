import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertPlan, insertProduct } from '../../testing/billing-fixtures.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { remindOfPlans } from './remind-of-plans.ts';

async function insertChannel(db: Db, userId: number): Promise<void> {
  const target = { kind: 'email', name: '邮件', targetSealed: Buffer.alloc(1), hint: '', hasSecret: false } as const;
  const events = ['plan_expiring', 'plan_expired'] as const;
  await db
    .insertInto('alertChannel')
    .values({ ...target, userId, events: [...events] })
    .execute();
}

type Reported = { event: string; plans: { name: string; device: { name: string } | null }[] };

async function insertPlanOf(
  db: Db,
  plan: { bound?: boolean; priceFen?: number } = {},
): Promise<{ planId: number; userId: number; deviceId: number }> {
  const { bound = true, priceFen = 2_600 } = plan;
  const { userId, deviceId } = await insertHome(db);
  await insertChannel(db, userId);
  const productId = await insertProduct(db);
  const planId = await insertPlan(db, { userId, deviceId: bound ? deviceId : null, productId, priceFen });
  return { planId, userId, deviceId };
}

/** Lets the plan, which lasts `days` in all, end so many hours from now. */
async function endIn(db: Db, planId: number, hours: number, days = 365): Promise<void> {
  await sql`
    update plan set ends_at = now() + make_interval(hours => ${hours}),
      starts_at = now() + make_interval(hours => ${hours}) - make_interval(days => ${days})
    where id = ${planId}`.execute(db);
}

/** What was reported since the last time. */
async function reported({ db }: TestDb): Promise<Reported[]> {
  const rows = await db.deleteFrom('alertDelivery').returning(['id', 'details']).execute();
  return rows.toSorted((one, other) => one.id - other.id).map(({ details }) => details as Reported);
}

test('a plan is reported 7, 3 and 1 days before its end and at its end, each once', async () => {
  await using t = await openTestDb();
  const { planId } = await insertPlanOf(t.db);
  const eventsAt = async (hours: number): Promise<string[]> => {
    await endIn(t.db, planId, hours);
    await remindOfPlans(t.db);
    await remindOfPlans(t.db);
    return (await reported(t)).map(({ event }) => event);
  };

  expect(await eventsAt(8 * 24)).toEqual([]);
  expect(await eventsAt(7 * 24 - 1)).toEqual(['plan_expiring']);
  expect(await eventsAt(3 * 24 - 1)).toEqual(['plan_expiring']);
  expect(await eventsAt(23)).toEqual(['plan_expiring']);
  expect(await eventsAt(-1)).toEqual(['plan_expired']);
  expect(await eventsAt(-3 * 24)).toEqual([]);
});

test('between two reminders of one end there is none, and a renewed plan starts anew', async () => {
  await using t = await openTestDb();
  const { planId } = await insertPlanOf(t.db);
  await endIn(t.db, planId, 6 * 24);
  await remindOfPlans(t.db);
  expect(await reported(t)).toHaveLength(1);

  await remindOfPlans(t.db);
  expect(await reported(t)).toEqual([]);

  await sql`update plan set ends_at = ends_at + interval '10 days'`.execute(t.db);
  await remindOfPlans(t.db);
  expect(await reported(t)).toEqual([]);
  await endIn(t.db, planId, 5 * 24);
  await remindOfPlans(t.db);
  expect(await reported(t)).toMatchObject([{ event: 'plan_expiring' }]);
});

test('a plan of seven days is not reported seven days before', async () => {
  await using t = await openTestDb();
  const { planId } = await insertPlanOf(t.db, { priceFen: 0 });

  await endIn(t.db, planId, 7 * 24 - 1, 7);
  await remindOfPlans(t.db);
  expect(await reported(t)).toEqual([]);
  await endIn(t.db, planId, 3 * 24 - 1, 7);
  await remindOfPlans(t.db);
  expect(await reported(t)).toMatchObject([{ event: 'plan_expiring' }]);
});

test.each([
  [{ bound: false, priceFen: 0 }, []],
  [{ bound: false, priceFen: 2_600 }, [{ event: 'plan_expired', plans: [{ name: '标准版', device: null }] }]],
  [{ bound: true, priceFen: 0 }, [{ event: 'plan_expired', plans: [{ name: '标准版', device: { name: 'NAS' } }] }]],
])('of %o is reported %o', async (plan, expected) => {
  await using t = await openTestDb();
  const { planId } = await insertPlanOf(t.db, plan);
  await endIn(t.db, planId, -1);

  await remindOfPlans(t.db);

  expect(await reported(t)).toMatchObject(expected);
});

test('plans of one account that end at once are one message, and only its own channels get it', async () => {
  await using t = await openTestDb();
  const { planId, userId } = await insertPlanOf(t.db);
  const productId = await insertProduct(t.db);
  const second = await insertPlan(t.db, { userId, deviceId: null, productId });
  await insertChannel(t.db, await insertAccount(t.db, { username: 'wang' }));
  for (const id of [planId, second]) await endIn(t.db, id, -1);

  await remindOfPlans(t.db);

  expect(await reported(t)).toMatchObject([{ event: 'plan_expired', plans: [{ id: planId }, { id: second }] }]);
});

test('at the end the consoles and the relays of the device are notified, also without a channel', async () => {
  await using t = await openTestDb();
  const { planId, userId, deviceId } = await insertPlanOf(t.db);
  await t.db.deleteFrom('alertChannel').execute();
  await endIn(t.db, planId, -1);
  const live: unknown[] = [];
  const device = Promise.withResolvers<string>();
  await t.listen(
    'live',
    (text) => live.push(JSON.parse(text)),
    () => undefined,
  );
  await t.listen('device_changed', device.resolve, () => undefined);

  await remindOfPlans(t.db);

  expect(JSON.parse(await device.promise)).toMatchObject({ deviceId });
  await expect.poll(() => live).toContainEqual({ userId, topic: 'devices' });
  expect(live).toContainEqual({ userId, topic: 'profile' });
});

test('of two processes one makes the reminder', async () => {
  await using t = await openTestDb();
  const { planId } = await insertPlanOf(t.db);
  await endIn(t.db, planId, -1);

  await Promise.all([remindOfPlans(t.db), remindOfPlans(t.db), remindOfPlans(t.db)]);

  expect(await reported(t)).toHaveLength(1);
});
