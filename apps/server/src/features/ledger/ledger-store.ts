import type { Db } from '../../db/driver.ts';

/**
 * Accounts of the ledger. `alipay` and `wechat`: money at the provider. `sales`: what was sold. `to-return`: money that
 * pays no order and goes back. `rewards-owed` and `rewards`: invitation rewards that can be claimed, and what all cost.
 */
export type LedgerAccountName = 'alipay' | 'wechat' | 'sales' | 'to-return' | 'rewards-owed' | 'rewards';
type LedgerEntry = { account: LedgerAccountName; amountFen: number };
export type LedgerTransaction = {
  /** Names what happened, for example `payment:12`. The same thing is entered once. */
  reference: string;
  orderId?: number;
  /** Their sum is 0, which the database checks at the end of the transaction. Positive is debit. */
  entries: readonly LedgerEntry[];
};

/** Enters a transaction. Does nothing if one with this reference is entered already. */
export async function enterInLedger(tx: Db, { reference, orderId, entries }: LedgerTransaction): Promise<void> {
  const row = await tx
    .insertInto('ledgerTransaction')
    .values({ reference, orderId: orderId ?? null })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return;
  await tx
    .insertInto('ledgerEntry')
    .values(entries.map((entry) => ({ ...entry, transactionId: row.id })))
    .execute();
}

/** Enters that money moves from one account to another. */
export async function moveInLedger(
  tx: Db,
  move: { reference: string; orderId?: number; from: LedgerAccountName; to: LedgerAccountName; amountFen: number },
): Promise<void> {
  const { from, to, amountFen, ...transaction } = move;
  if (amountFen === 0) return;
  await enterInLedger(tx, {
    ...transaction,
    entries: [
      { account: to, amountFen },
      { account: from, amountFen: -amountFen },
    ],
  });
}
