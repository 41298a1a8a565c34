import { sql, type Kysely } from 'kysely';

/** What a browser, and what a network, has not answered yet decides about its next challenge. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index captcha_challenge_open_browser_idx on captcha_challenge (browser_hash, purpose)
      where answered_at is null`.execute(db);
  await sql`
    create index captcha_challenge_open_network_idx on captcha_challenge (network) where answered_at is null`.execute(
    db,
  );
}
