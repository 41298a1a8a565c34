import { sql, type Kysely } from 'kysely';

/** A search for a note reads only keys of the wanted status and places, however many others have the same note. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index product_key_note_idx`.execute(db);
  await sql`
    create index product_key_status_note_idx on product_key (status, lower(note) text_pattern_ops)
    where note <> ''`.execute(db);
  await sql`
    create index product_key_place_id_status_note_idx on product_key (place_id, status, lower(note) text_pattern_ops)
    where note <> ''`.execute(db);
}
