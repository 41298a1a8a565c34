import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { findNewestNumber, listDisplayed } from './announcement-store.ts';
import { addAnnouncement, changeAnnouncement, publishDue, removeAnnouncement } from './publish.ts';

const fields = { title: '', detail: '今晚升级', url: '', display: true, startsAt: null, endsAt: null };

/** A transaction that has done its work and stays open until it is let go. */
async function hold(db: Db, work: (tx: Db) => Promise<unknown>) {
  const [done, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = db.transaction().execute(async (tx) => {
    await work(tx);
    done.resolve();
    await letGo.promise;
  });
  await Promise.race([done.promise, ended]);
  return {
    end: async () => {
      letGo.resolve();
      await ended;
    },
  };
}

async function isSomebodyWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

/** Goes on when this has ended, or waits for somebody. */
async function untilItWaits(db: Db, work: Promise<unknown>): Promise<void> {
  let isEnded = false;
  void work.finally(() => (isEnded = true)).catch(() => undefined);
  while (!isEnded && !(await isSomebodyWaiting(db)));
}

const second = { ...fields, title: '乙' };
const inTransaction = async (db: Db, work: (tx: Db) => Promise<unknown>) => await db.transaction().execute(work);
const writes: [what: string, write: (db: Db) => Promise<unknown>][] = [
  ['written', async (db) => await inTransaction(db, async (tx) => await addAnnouncement(tx, second))],
  [
    'changed',
    async (db) => await inTransaction(db, async (tx) => await changeAnnouncement(tx, { id: 1, revision: 1 }, second)),
  ],
  [
    'found to be due',
    async (db) => {
      await db.updateTable('announcement').set({ display: true }).where('id', '=', 1).execute();
      await publishDue(db);
    },
  ],
];

test.each(writes)(
  'what is %s while another is being published is seen after that, by a higher number',
  async (_what, write) => {
    await using t = await openTestDb();
    await t.db
      .insertInto('announcement')
      .values({ ...second, display: false })
      .execute();
    const first = await hold(t.db, async (tx) => await addAnnouncement(tx, { ...fields, title: '甲' }));

    const written = write(t.db);
    await untilItWaits(t.db, written);

    const newestMeanwhile = await findNewestNumber(t.db);
    await first.end();
    await written;
    expect(newestMeanwhile).toBe(0);
    expect((await listDisplayed(t.db)).map(({ title }) => title)).toEqual(['甲', '乙']);
  },
);

test('one that is deleted while it is being published stands in nobody’s way', async () => {
  await using t = await openTestDb();
  await t.db
    .insertInto('announcement')
    .values({ ...fields, title: '甲' })
    .execute();
  const first = await hold(t.db, async (tx) => await removeAnnouncement(tx, 1));

  const published = publishDue(t.db);
  await untilItWaits(t.db, published);
  await first.end();
  await published;

  expect(await listDisplayed(t.db)).toEqual([]);
});
