import { sql, type Kysely } from 'kysely';

/**
 * Payments and refunds, and the ledger that explains every fen of them. Of the payments of an order one settles it; any other
 * is returned. `amount_fen` was asked for, `paid_fen` came. `billed_day` is the day of the provider's bill that has it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table payment (
      id             integer generated always as identity primary key,
      order_id       integer not null references product_order,
      provider       text not null check (provider in ('alipay', 'wechat')),
      number         text not null unique,
      amount_fen     integer not null check (amount_fen > 0),
      paid_fen       integer check (paid_fen > 0),
      refunded_fen   integer not null default 0,
      status         text not null default 'waiting' check (status in ('waiting', 'paid', 'closed')),
      qr_text        text,
      qr_expires_at  timestamptz,
      settles        boolean not null default false,
      transaction_id text,
      created_at     timestamptz not null default now(),
      chosen_at      timestamptz not null default now(),
      expires_at     timestamptz not null,
      asked_at       timestamptz,
      paid_at        timestamptz,
      billed_day     text,
      unique (provider, transaction_id),
      check ((qr_text is null) = (qr_expires_at is null)),
      check (refunded_fen between 0 and coalesce(paid_fen, 0)),
      check ((status = 'paid') = (paid_at is not null)),
      check ((status = 'paid') = (paid_fen is not null)),
      check ((status = 'paid') = (transaction_id is not null)),
      check (not settles or (status = 'paid' and paid_fen = amount_fen))
    )`.execute(db);
  await sql`create index payment_order_id_idx on payment (order_id)`.execute(db);
  await sql`create unique index payment_settles_idx on payment (order_id) where settles`.execute(db);
  await sql`create unique index payment_waiting_idx on payment (order_id, provider) where status = 'waiting'`.execute(
    db,
  );
  await sql`create index payment_closed_idx on payment (expires_at) where status = 'closed'`.execute(db);
  await sql`create index payment_paid_at_idx on payment (paid_at) where status = 'paid'`.execute(db);

  await sql`
    create table refund (
      id          integer generated always as identity primary key,
      payment_id  integer not null references payment,
      number      text not null unique,
      amount_fen  integer not null check (amount_fen > 0),
      reason      text not null,
      status      text not null default 'requested' check (status in ('requested', 'pending', 'done', 'failed')),
      made_by     text not null default '',
      tries       integer not null default 0,
      next_try_at timestamptz not null default now(),
      problem     text,
      created_at  timestamptz not null default now(),
      done_at     timestamptz,
      billed_day  text,
      check ((status = 'done') = (done_at is not null))
    )`.execute(db);
  await sql`create index refund_payment_id_idx on refund (payment_id)`.execute(db);
  await sql`create index refund_open_idx on refund (next_try_at) where status <> 'done'`.execute(db);
  await sql`create index refund_done_at_idx on refund (done_at) where status = 'done'`.execute(db);

  // A day's bill of a provider, compared with the payments and refunds here.
  await sql`
    create table compared_bill (
      provider    text not null,
      day         text not null check (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      differences jsonb not null,
      compared_at timestamptz not null default now(),
      primary key (provider, day)
    )`.execute(db);

  await createLedger(db);
}

/** `reference` names what happened, so that the same thing is never entered twice. */
async function createLedger(db: Kysely<never>): Promise<void> {
  await sql`
    create table ledger_transaction (
      id         integer generated always as identity primary key,
      reference  text not null unique,
      order_id   integer references product_order,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index ledger_transaction_order_id_idx on ledger_transaction (order_id)`.execute(db);
  await sql`
    create table ledger_entry (
      id             integer generated always as identity primary key,
      transaction_id integer not null references ledger_transaction,
      account        text not null,
      amount_fen     bigint not null check (amount_fen <> 0)
    )`.execute(db);
  await sql`create index ledger_entry_transaction_id_idx on ledger_entry (transaction_id)`.execute(db);
  await sql`create index ledger_entry_account_idx on ledger_entry (account) include (amount_fen)`.execute(db);

  await sql`
    create function check_ledger_balance() returns trigger language plpgsql as $$
    begin
      if (select sum(amount_fen) from ledger_entry where transaction_id = new.transaction_id) <> 0 then
        raise exception 'ledger transaction % does not balance', new.transaction_id using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger ledger_entry_balance after insert on ledger_entry
    deferrable initially deferred for each row execute function check_ledger_balance()`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
    end $$`.execute(db);
  for (const table of ['ledger_transaction', 'ledger_entry']) {
    await sql`
      create trigger ${sql.ref(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db);
  }
}
