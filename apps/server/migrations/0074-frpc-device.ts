import { sql, type Kysely } from 'kysely';

/** A device runs our agent, which has a key, or a stock frpc, which has a secret that relays need in plain text. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table device alter column public_key drop not null`.execute(db);
  await sql`
    alter table device
      add column frpc_token_sealed bytea,
      add constraint device_program_check check ((public_key is null) <> (frpc_token_sealed is null))`.execute(db);
}
