import { sql, type Kysely } from 'kysely';

/** What staff show to users: banners on the devices screen, and groups and links of 玩家交流. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table site_entry (
      id             integer generated always as identity primary key,
      kind           text not null check (kind in ('banner', 'community')),
      title          text not null check (length(title) between 1 and 60),
      detail         text not null check (length(detail) <= 500),
      url            text not null check (url = '' or url ~ '^https?://'),
      qr_text        text not null check (length(qr_text) <= 500),
      position       integer not null,
      display        boolean not null,
      starts_at      timestamptz,
      ends_at        timestamptz,
      image        bytea check (octet_length(image) between 1 and 307200),
      image_type   text check (image_type in ('image/png', 'image/jpeg', 'image/webp')),
      image_sha256 text,
      revision       integer not null default 1,
      check ((image is null) = (image_type is null) and (image is null) = (image_sha256 is null))
    )`.execute(db);
  await sql`create index site_entry_image_sha256_idx on site_entry (image_sha256)`.execute(db);
}
