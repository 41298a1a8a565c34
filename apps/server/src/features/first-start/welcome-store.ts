import type { Db } from '../../db/driver.ts';
import { z } from 'zod';

const NAME = 'welcome_mapping';

/** The mapping as the server created it, so that a later start can see whether its owner has changed it. */
const WelcomeMapping = z.object({ mappingId: z.number().int(), targetPort: z.number().int() });
export type WelcomeMapping = z.infer<typeof WelcomeMapping>;

/** Undefined when it was never created. Locks the setting until the transaction ends. */
export async function findWelcomeMappingForUpdate(tx: Db): Promise<WelcomeMapping | undefined> {
  // A row lock needs a row, so the first call inserts it.
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
