import type { Db } from '../../db/driver.ts';
import { z } from 'zod';

const NAME = 'welcome_mapping';

/** What was made for the first start, so that a later start can tell its own work from its owner's. */
const WelcomeMapping = z.object({ mappingId: z.number().int(), targetPort: z.number().int() });
export type WelcomeMapping = z.infer<typeof WelcomeMapping>;

/** Undefined when it was never made. Others who ask wait until the transaction ends. */
export async function findWelcomeMappingForUpdate(tx: Db): Promise<WelcomeMapping | undefined> {
  // Locking needs a row, so the first one to come makes it.
  await tx
    .insertInto('setting')
    .values({ name: NAME, value: JSON.stringify(null) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await tx
    .selectFrom('setting')
    .where('name', '=', NAME)
    .select('value')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return WelcomeMapping.nullable().parse(row.value) ?? undefined;
}

export async function saveWelcomeMapping(tx: Db, welcome: WelcomeMapping): Promise<void> {
  await tx
    .updateTable('setting')
    .set({ value: JSON.stringify(welcome) })
    .where('name', '=', NAME)
    .execute();
}
