import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { findNewestNumber, listDisplayed } from './announcement-store.ts';
import { addAnnouncement, changeAnnouncement, publishDue, removeAnnouncement } from './publish.ts';

const fields = { title: '', detail: '今晚升级', url: '', display: true, startsAt: null, endsAt: null };

/** Runs `work` in a transaction that stays open until `end` is called. */
async function openTransaction(db: Db, work: (tx: Db) => Promise<unknown>) {
  const [done, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = db.transaction().execute(async (tx) => {
    await work(tx);
    done.resolve();
    await released.promise;
  });
  await Promise.race([done.promise, ended]);
  return {
    end: async () => {
      released.resolve();
      await ended;
    },
  };
}

async function isAnyLockAwaited(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

/** Waits until the work has ended or waits for a lock. */
async function untilBlocked(db: Db, work: Promise<unknown>): Promise<void> {
  let isEnded = false;
  void work.finally(() => (isEnded = true)).catch(() => undefined);
  while (!isEnded && !(await isAnyLockAwaited(db)));
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
  'an announcement that is %s while another is being published gets a higher number',
  async (_what, write) => {
    await using t = await openTestDb();
    await t.db
      .insertInto('announcement')
      .values({ ...second, display: false })
      .execute();
    const first = await openTransaction(t.db, async (tx) => await addAnnouncement(tx, { ...fields, title: '甲' }));

    const written = write(t.db);
    await untilBlocked(t.db, written);

    const newestBefore = await findNewestNumber(t.db);
    await first.end();
    await written;
    expect(newestBefore).toBe(0);
    expect((await listDisplayed(t.db)).map(({ title }) => title)).toEqual(['甲', '乙']);
  },
);

test('an announcement that is deleted while it is being published blocks nothing', async () => {
  await using t = await openTestDb();
  await t.db
    .insertInto('announcement')
    .values({ ...fields, title: '甲' })
    .execute();
  const first = await openTransaction(t.db, async (tx) => await removeAnnouncement(tx, 1));

  const published = publishDue(t.db);
  await untilBlocked(t.db, published);
  await first.end();
  await published;

  expect(await listDisplayed(t.db)).toEqual([]);
});
