import { sql, type Kysely } from 'kysely';

/** Logins by a passkey alone, and browsers that skip the second step of a login until a time. */
export async function up(db: Kysely<never>): Promise<void> {
  // Null: the browser that created the passkey did not say whether it is discoverable.
  await sql`alter table passkey add column is_discoverable boolean`.execute(db);
  // Until the passkey has answered, the account of a login by a passkey alone is unknown.
  await sql`
    alter table passkey_challenge
      alter column user_id drop not null,
      drop constraint passkey_challenge_purpose_check,
      add constraint passkey_challenge_purpose_check
        check (purpose in ('register', 'confirm', 'login', 'passkey_login')),
      add check ((purpose = 'passkey_login') = (user_id is null))`.execute(db);
  await sql`
    alter table trusted_browser
      add column ip                      text not null default '',
      add column user_agent              text not null default '',
      add column skips_second_step_until timestamptz`.execute(db);
}
