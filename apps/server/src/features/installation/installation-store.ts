import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../db/driver.ts';

const FIRST_START = 'first_start';
const FirstStart = z.object({ adminId: z.number().int() });

/** Takes the right to do the first start. A second starter waits here until the first has committed, and gets false. */
export async function claimFirstStart(tx: Db): Promise<boolean> {
  const row = await tx
    .insertInto('setting')
    .values({ name: FIRST_START, value: sql`'{}'::jsonb` })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

export async function recordFirstStart(tx: Db, adminId: number): Promise<void> {
  const value = JSON.stringify({ adminId });
  await tx.updateTable('setting').set({ value }).where('name', '=', FIRST_START).execute();
}

/** The account made at the first start, whatever it is called now; undefined before it. */
export async function findFirstAdminId(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', FIRST_START).executeTakeFirst();
  return row && FirstStart.parse(row.value).adminId;
}

/** Makes another administrator the account of this machine, when the one that goes was. */
export async function handOverFirstAdmin(
  tx: Db,
  { fromUserId, toUserId }: { fromUserId: number; toUserId: number },
): Promise<void> {
  await tx
    .updateTable('setting')
    .set({ value: JSON.stringify({ adminId: toUserId }) })
    .where('name', '=', FIRST_START)
    .where(sql<boolean>`(value ->> 'adminId')::integer = ${fromUserId}`)
    .execute();
}

/** Keeps the value of the first caller; returns the one that is kept. */
export async function getOrInsertSetting(db: Db, name: string, value: string): Promise<unknown> {
  const json = JSON.stringify(value);
  const row = await db
    .insertInto('setting')
    .values({ name, value: json })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('setting.value') })))
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

export async function insertServer(db: Db, server: { name: string; suffix: string }): Promise<void> {
  await db.insertInto('server').values(server).execute();
}

/** An installation with one region follows its configured domain. Returns whether it had to move. */
export async function updateOnlyServerSuffix(db: Db, suffix: string): Promise<boolean> {
  const row = await db
    .updateTable('server')
    .set({ suffix })
    .where('suffix', '!=', suffix)
    .where(sql<boolean>`(select count(*) from server) = 1`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
