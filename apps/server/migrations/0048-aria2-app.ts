import { sql, type Kysely } from 'kysely';

/** Cloud apps of kind aria2. The database named the check when it made the table. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table cloud_app
      drop constraint cloud_app_kind_check,
      add constraint cloud_app_kind_check
        check (kind in ('ssh', 'telnet', 'vnc', 'rdp', 'sftp', 'webdav', 'smb', 'aria2'))`.execute(db);
}
