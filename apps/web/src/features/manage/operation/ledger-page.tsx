import { Alert, Button } from 'antd';
import type { Reply } from '@tongtu/contract';
import { errorText, useChange } from '../../../api/index.ts';
import { ledgerText } from '../../../text/management/operation.ts';
import { momentText } from '../../../text/moment-text.ts';
import { yuanText } from '../../../text/shop/money.ts';
import { ManageFrame } from '../frame/manage-frame.tsx';
import styles from '../frame/frame.module.css';
import pageStyles from '../manage.module.css';

type LedgerCheck = Reply<'GET /api/manage/ledger/check/'>;

function balanceText({ balance_fen: balance }: LedgerCheck['accounts'][number]): string {
  return balance < 0 ? `-${yuanText(-balance)}` : yuanText(balance);
}

/** For staff: whether the ledger balances. It is checked when somebody asks, because the check reads everything. */
export function LedgerPage() {
  const check = useChange([['manage', 'audit']], (call, _input: void) => call('GET /api/manage/ledger/check/', {}));
  return (
    <ManageFrame
      title={ledgerText.title}
      isOfShop
      actions={
        <Button type="primary" loading={check.isPending} onClick={() => check.mutate()}>
          {ledgerText.check}
        </Button>
      }
    >
      <section
        className={pageStyles.panel}
        aria-label={ledgerText.title}
        aria-live="polite"
        aria-busy={check.isPending}
      >
        <p className={styles.hint}>{ledgerText.hint}</p>
        {check.error && <Alert type="error" showIcon title={ledgerText.failed} description={errorText(check.error)} />}
        {!check.data && !check.error && <p className={styles.hint}>{ledgerText.notYet}</p>}
        {check.data && <Outcome check={check.data} />}
      </section>
    </ManageFrame>
  );
}

function Outcome({ check }: { check: LedgerCheck }) {
  const { balanced, problems, accounts } = check;
  return (
    <>
      <Alert
        type={balanced ? 'success' : 'error'}
        showIcon
        title={balanced ? ledgerText.balanced : ledgerText.unbalanced}
        description={ledgerText.checkedAt(momentText(check.checked_at))}
      />
      {problems.length > 0 && (
        <>
          <h2 className={styles.subtitle}>{ledgerText.problems}</h2>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </>
      )}
      <h2 className={styles.subtitle}>{ledgerText.accounts}</h2>
      {accounts.length === 0 ? (
        <p className={styles.hint}>{ledgerText.noAccounts}</p>
      ) : (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{ledgerText.account}</th>
              <th scope="col">{ledgerText.balance}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <tr key={account.account}>
                <th scope="row">{ledgerText.names[account.account] ?? account.account}</th>
                <td>{balanceText(account)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.hint}>{ledgerText.signs}</p>
    </>
  );
}
