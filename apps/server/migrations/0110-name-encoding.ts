import { type Kysely, sql } from 'kysely';

/** Every app has every option. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update cloud_app set options = options || '{"name_encoding": "auto"}'`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update cloud_app set options = options - 'name_encoding'`.execute(db);
}
