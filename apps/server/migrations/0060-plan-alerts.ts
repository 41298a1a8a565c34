import { sql, type Kysely } from 'kysely';

/** Existing channels report the ends of plans: a user whose visitors are refused must hear of it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`update alert_channel set events = events || array['plan_expiring', 'plan_expired']`.execute(db);
}
