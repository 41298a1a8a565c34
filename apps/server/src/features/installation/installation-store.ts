import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../db/driver.ts';

const FIRST_START = 'first_start';
const FirstStart = z.object({ adminId: z.number().int() });

/** Claims the first start. A concurrent call waits until the first one commits, and returns false. */
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

/** The account created at the first start, which may have been renamed; undefined before the first start. */
export async function findFirstAdminId(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', FIRST_START).executeTakeFirst();
  return row && FirstStart.parse(row.value).adminId;
}

/** Makes another administrator the owner of this machine's device when `fromUserId` is its owner. */
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

/** Inserts the setting unless it exists. Returns the stored value. */
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

/** Sets the suffix of the only region; does nothing when there are several. True when it changed. */
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
