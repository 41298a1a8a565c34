import { Select } from 'antd';
import type { offlineAfterChoices } from '@tongtu/contract';
import { alertsText } from '../../../text/account/alerts.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { SettingRow } from '../setting-row.tsx';
import styles from './alerts.module.css';
import { useSetOfflineAfter } from './use-alerts.ts';

/** The contract's choices; the type checks them. */
const choices: typeof offlineAfterChoices = [1, 3, 5, 10, 30, 60];
const options = choices.map((minutes) => ({ value: minutes, label: alertsText.minutes(minutes) }));

/** How many minutes a device must be offline before it causes an alert. */
export function OfflineAfterRow({ minutes }: { minutes: number }) {
  const toastOutcome = useMutationToast();
  const change = useSetOfflineAfter();
  const shown = change.isPending ? change.variables : minutes;

  function choose(value: number) {
    const chosen = choices.find((choice) => choice === value);
    if (chosen !== undefined) toastOutcome(change.mutateAsync(chosen), alertsText.offlineAfterSaved(chosen));
  }
  return (
    <SettingRow
      title={alertsText.offlineAfter}
      text={alertsText.offlineAfterText}
      actions={
        <Select<number>
          options={options}
          value={shown}
          loading={change.isPending}
          disabled={change.isPending}
          onChange={choose}
          aria-label={alertsText.offlineAfter}
          className={styles.minutes ?? ''}
        />
      }
    />
  );
}
