import { sql, type Kysely } from 'kysely';

/** Whether the domain of a user's own leads here yet, and when that is looked at next. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table domain_check (
      mapping_id    integer primary key references mapping on delete cascade,
      domain        text not null,
      ready_at      timestamptz,
      found         text[] not null default '{}' check (cardinality(found) <= 4),
      wanted        text[] not null default '{}' check (cardinality(wanted) <= 4),
      tries         integer not null default 0 check (tries >= 0),
      next_check_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index domain_check_next_check_at_idx on domain_check (next_check_at) where ready_at is null`.execute(
    db,
  );
  // An authority that gave a certificate has reached this server by the name.
  await sql`
    insert into domain_check (mapping_id, domain, ready_at)
    select mapping.id, custom_domain, case when chain is not null then now() end
    from mapping left join certificate on subject = custom_domain
    where custom_domain is not null`.execute(db);
}
