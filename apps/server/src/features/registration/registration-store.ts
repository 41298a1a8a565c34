import { Registration } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';

const NAME = 'registration';

/** Undefined where nobody has set it. */
export async function findRegistration(db: Db): Promise<Registration | undefined> {
  const row = await db.selectFrom('setting').where('name', '=', NAME).select('value').executeTakeFirst();
  return row && Registration.parse(row.value);
}

export async function saveRegistration(db: Db, registration: Registration): Promise<void> {
  const value = JSON.stringify(registration);
  await db
    .insertInto('setting')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
