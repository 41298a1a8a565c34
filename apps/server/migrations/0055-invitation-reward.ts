import { sql, type Kysely } from 'kysely';

/** Who invited whom, and the rewards for it. `user_account.invited_by` has the code as it was typed. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table user_account
      add column invitation_code  text unique,
      add column inviter_id       integer references user_account on delete set null,
      add column inviter_bound_at timestamptz,
      add check (inviter_id is null or inviter_id <> id)`.execute(db);
  await sql`create index user_account_inviter_id_idx on user_account (inviter_id)
    where inviter_id is not null`.execute(db);

  await sql`
    create table invitation_reward (
      id           integer generated always as identity primary key,
      user_id      integer not null references user_account on delete cascade,
      invitee_id   integer references user_account on delete set null,
      invitee_name text not null,
      event        text not null check (event in ('joined', 'paid')),
      status       text not null check (status in ('pending', 'claimable', 'claimed', 'void')),
      days         integer not null check (days > 0),
      worth_fen    integer not null check (worth_fen >= 0),
      order_id     integer references product_order,
      created_at   timestamptz not null default now(),
      claimable_at timestamptz,
      claimed_at   timestamptz,
      claimed_as   text check (claimed_as in ('days', 'key')),
      void_reason  text check (void_reason in ('refunded', 'same-person', 'monthly-cap')),
      unique (invitee_id, event),
      check ((status = 'claimed') = (claimed_at is not null)),
      check ((status = 'claimed') = (claimed_as is not null)),
      check ((status = 'void') = (void_reason is not null))
    )`.execute(db);
  await sql`create index invitation_reward_user_id_idx on invitation_reward (user_id, id)`.execute(db);
  await sql`create index invitation_reward_order_id_idx on invitation_reward (order_id)`.execute(db);
  await sql`create index invitation_reward_pending_idx on invitation_reward (claimable_at)
    where status = 'pending'`.execute(db);
}
