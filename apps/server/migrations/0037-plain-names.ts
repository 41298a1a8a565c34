import { sql, type Kysely } from 'kysely';

/** Tables and columns take the names that the glossary gives to what they hold. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table told_absence rename to notified_absence`.execute(db);
  await sql`alter table notified_absence rename column told_at to notified_at`.execute(db);
  await sql`alter index told_absence_pkey rename to notified_absence_pkey`.execute(db);
  await sql`
    alter table notified_absence
      rename constraint told_absence_device_id_fkey to notified_absence_device_id_fkey`.execute(db);

  await sql`alter table verification rename column told_until to published_until`.execute(db);
  await sql`
    alter index verification_mapping_id_told_until_idx
      rename to verification_mapping_id_published_until_idx`.execute(db);

  await sql`alter table gone_mapping rename to deleted_mapping`.execute(db);
  for (const index of ['pkey', 'owner_id_device_id_idx', 'deleted_at_idx']) {
    await sql`
      alter index ${sql.id(`gone_mapping_${index}`)} rename to ${sql.id(`deleted_mapping_${index}`)}`.execute(db);
  }
  await sql`
    alter table deleted_mapping
      rename constraint gone_mapping_owner_id_fkey to deleted_mapping_owner_id_fkey`.execute(db);

  await sql`alter table alert_delivery rename column news to details`.execute(db);
}
