import { Button } from 'antd';
import type { AlertChannel } from '@tongtu/contract';
import { alertChannelText, alertFormText } from '../../../text/account/alerts.ts';
import styles from '../account.module.css';
import { TestResult } from './test-result.tsx';
import { useTestChannel } from './use-alerts.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';

/** Offers to test a channel that was just added, so that the user notices a typing error before an alert is lost. */
export function TryChannelDialog({ channel, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const test = useTestChannel();
  const hasArrived = test.data?.state === 'sent';
  return (
    <Dialog
      title={alertFormText.tryTitle}
      onClose={onClose}
      footer={
        <>
          <Button type={hasArrived ? 'primary' : 'default'} onClick={onClose}>
            {alertFormText.done}
          </Button>
          <Button
            type={hasArrived ? 'default' : 'primary'}
            loading={test.isPending}
            onClick={() => void test.send(channel.id)}
          >
            {alertChannelText.sendTest}
          </Button>
        </>
      }
    >
      <p className={styles.hint}>{alertFormText.tryText}</p>
      <TestResult kind={channel.kind} test={test} />
    </Dialog>
  );
}
