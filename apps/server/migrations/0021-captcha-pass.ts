import { sql, type Kysely } from 'kysely';

/** Right answers that do not suffice alone are looked for by their browser; few are kept, all challenges are not. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index captcha_challenge_passed_idx on captcha_challenge (browser_hash, purpose) where passed`.execute(db);
}
