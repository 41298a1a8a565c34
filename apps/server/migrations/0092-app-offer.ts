import { sql, type Kysely } from 'kysely';

/**
 * An app is offered to an account, which accepts or declines. The name is stored as its owner typed it, also when no account
 * has it, so that neither the reply nor the list shows which names exist. Who is a member already has accepted.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table cloud_app_member
      add column account text,
      add column accepted_at timestamptz,
      add column declined_at timestamptz,
      alter column user_id drop not null,
      drop constraint cloud_app_member_app_id_user_id_key`.execute(db);
  await sql`
    update cloud_app_member set accepted_at = cloud_app_member.created_at, account = username
    from user_account where user_account.id = user_id`.execute(db);
  await sql`
    alter table cloud_app_member
      alter column account set not null,
      add check (accepted_at is null or (user_id is not null and declined_at is null))`.execute(db);
  await sql`
    create unique index cloud_app_member_accepted_idx on cloud_app_member (app_id, user_id)
    where accepted_at is not null`.execute(db);
  await sql`
    create unique index cloud_app_member_offered_idx on cloud_app_member (app_id, lower(account))
    where accepted_at is null`.execute(db);
}
