import { type Kysely, sql } from 'kysely';

/** Event streams and long polls are silent for longer than five minutes. Dead visitors are found by TCP. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table mapping alter column silence_timeout_s set default 3600`.execute(db);
  await sql`update mapping set silence_timeout_s = 3600 where silence_timeout_s = 300`.execute(db);
}

export async function down(db: Kysely<never>): Promise<void> {
  await sql`update mapping set silence_timeout_s = 300 where silence_timeout_s = 3600`.execute(db);
  await sql`alter table mapping alter column silence_timeout_s set default 300`.execute(db);
}
