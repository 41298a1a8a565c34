import { sql, type Kysely } from 'kysely';

/**
 * Adds the time until which relays are sent a proof. Null if they need not know it. Relays need verified addresses, and
 * extended or revoked verifications of cookies.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table verification
      add column told_until timestamptz generated always as (
        case
          when revoked_at is not null then cookie_expires_at
          when kind = 'ip' or expires_at > cookie_expires_at then expires_at
        end) stored`.execute(db);
  await sql`
    create index verification_mapping_id_told_until_idx on verification (mapping_id, told_until)
    where told_until is not null`.execute(db);
}
