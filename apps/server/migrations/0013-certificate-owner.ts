import { sql, type Kysely } from 'kysely';

/** Whose domain a certificate is for, known also after its mapping is gone: failures count against the owner. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table certificate add column user_id integer references user_account on delete set null`.execute(db);
  await sql`create index certificate_user_id_idx on certificate (user_id)`.execute(db);
  await sql`
    update certificate set user_id = device.user_id
    from mapping join device on device.id = mapping.device_id
    where mapping.custom_domain = certificate.subject and certificate.origin = 'custom_domain'`.execute(db);
}
