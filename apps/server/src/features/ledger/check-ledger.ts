import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import type { SharedJob } from '../../jobs/run-shared-jobs.ts';
import { notifyOfLedger } from '../alerts/index.ts';
import { PROVIDER_NAMES, yuanOf } from './account-names.ts';
import * as store from './ledger-check-store.ts';

type LedgerCheckResult = {
  /** Whether the ledger agrees with itself, and with payments, refunds, orders and rewards. */
  balanced: boolean;
  accounts: { account: string; balanceFen: number }[];
  /** In Chinese: what does not fit together, then what the providers' bills of the last week say otherwise. */
  problems: string[];
  checkedAt: Date;
};

/** Sums the ledger and compares it with what it is about, as of one moment. */
export async function checkLedger(db: Db): Promise<LedgerCheckResult> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const accounts = await store.listBalances(tx);
      const problems = [...(await listMisfits(tx)), ...(await listWrongBalances(tx, accounts))];
      const bills = await store.listBillDifferences(tx);
      return {
        balanced: problems.length === 0,
        accounts,
        problems: [...problems, ...bills.map((one) => `${nameOf(one.provider)} ${one.day} 的账单：${one.text}`)],
        checkedAt: new Date(),
      };
    });
}

async function listMisfits(tx: Db): Promise<string[]> {
  const kinds = [
    ['分录不平', await store.listUnbalanced(tx)],
    ['分录与付款、退款不一致', await store.listWrongEntries(tx)],
    ['分录与邀请奖励不一致', await store.listWrongRewards(tx)],
    ['订单与付款不一致', await store.listUnpaidOrders(tx)],
    ['订单的退款合计不一致', await store.listWrongRefundsOfOrders(tx)],
    ['付款的退款合计不一致', await store.listWrongRefundsOfPayments(tx)],
  ] as const;
  return kinds.flatMap(([kind, misfits]) => misfits.map((misfit) => describe(kind, misfit)));
}

function describe(kind: string, { name, expectedFen, foundFen }: store.Misfit): string {
  const amount = (fen: number | null): string => (fen === null ? '没有' : yuanOf(fen));
  return `${kind}：${name}，应为 ${amount(expectedFen)}，实际 ${amount(foundFen)}`;
}

async function listWrongBalances(tx: Db, accounts: LedgerCheckResult['accounts']): Promise<string[]> {
  const balances = new Map(accounts.map(({ account, balanceFen }) => [account, balanceFen]));
  const wrong: string[] = [];
  for (const { account, balanceFen } of await store.listExpectedBalances(tx)) {
    const found = balances.get(account) ?? 0;
    if (found !== balanceFen)
      wrong.push(`科目余额不一致：${nameOf(account)}，应为 ${yuanOf(balanceFen)}，实际 ${yuanOf(found)}`);
  }
  const total = accounts.reduce((sum, { balanceFen }) => sum + balanceFen, 0);
  return total === 0 ? wrong : [...wrong, `全部科目合计应为 0，实际 ${yuanOf(total)}`];
}

const ACCOUNT_NAMES: Record<string, string> = {
  ...PROVIDER_NAMES,
  sales: '销售',
  'to-return': '待退回',
  'rewards-owed': '未领取的奖励',
  rewards: '奖励支出',
};

function nameOf(account: string): string {
  return ACCOUNT_NAMES[account] ?? account;
}

/** Checks, and alerts all superusers where the ledger does not balance. */
export async function checkAndAlert({ db, log }: { db: Db; log: Logger }): Promise<LedgerCheckResult> {
  const result = await checkLedger(db);
  if (!result.balanced) {
    log.error({ problems: result.problems }, 'the ledger does not balance');
    await db.transaction().execute(async (tx) => await notifyOfLedger(tx, result.problems));
  }
  return result;
}

const DAY_SECONDS = 86_400;

export function ledgerJob(deps: { db: Db; log: Logger }): SharedJob {
  return { name: 'check the ledger', everySeconds: DAY_SECONDS, run: async () => void (await checkAndAlert(deps)) };
}
