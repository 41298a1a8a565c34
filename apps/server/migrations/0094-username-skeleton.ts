import { sql, type Kysely } from 'kysely';

/** Names that look alike have one skeleton. It is null where another account had it before. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table user_account add column username_skeleton text`.execute(db);
  await sql`
    create unique index user_account_username_skeleton_key on user_account (username_skeleton)`.execute(db);
}
