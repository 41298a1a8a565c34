import { sql } from 'kysely';
import type { Channel, Db } from './driver.ts';

/** Tells every server process that something changed. Call it inside the transaction that changed it: it is sent on commit. */
export async function notify(db: Db, channel: Channel, payload: object): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`.execute(db);
}

/** The same for many at once, in one statement. */
export async function notifyEach(db: Db, channel: Channel, payloads: object[]): Promise<void> {
  if (payloads.length === 0) return;
  const texts = payloads.map((payload) => JSON.stringify(payload));
  await sql`select pg_notify(${channel}, text) from unnest(${texts}::text[]) as text`.execute(db);
}
