import type { AlertDelivery, AlertKind } from '@tongtu/contract';
import { Alert } from 'antd';
import { errorText } from '../../../api/index.ts';
import { alertChannelText } from '../../../text/account/alerts.ts';
import styles from './alerts.module.css';
import { failureSentence } from './failure-sentence.ts';

type TestResultProps = {
  kind: AlertKind;
  test: { isPending: boolean; data: AlertDelivery | undefined; error: Error | null };
};

/** The result of a test, read out by screen readers as soon as it arrives. */
export function TestResult({ kind, test }: TestResultProps) {
  const { isPending, data, error } = test;
  return (
    <div aria-live="polite">
      {isPending && <div className={styles.testing}>{alertChannelText.testing}</div>}
      {!isPending && error && <Alert type="error" showIcon title={errorText(error)} className={styles.result ?? ''} />}
      {!isPending && data && <Outcome kind={kind} delivery={data} />}
    </div>
  );
}

function Outcome({ kind, delivery: { state, failure } }: { kind: AlertKind; delivery: AlertDelivery }) {
  if (state === 'sent') {
    return <Alert type="success" showIcon title={alertChannelText.testSent} className={styles.result ?? ''} />;
  }
  return (
    <Alert
      type="error"
      showIcon
      title={
        failure === null ? alertChannelText.failed : alertChannelText.failedBecause(failureSentence(kind, failure))
      }
      className={styles.result ?? ''}
    />
  );
}
