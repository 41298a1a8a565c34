import { sql, type Kysely } from 'kysely';

/** What is shared with an account is looked for by what it has proven. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index mapping_member_contact_idx on mapping_member (contact)`.execute(db);
}
