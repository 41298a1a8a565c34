import { Button } from 'antd';
import { recoveryText } from '../../../text/account/account.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';
import { useRenewRecoveryCodes } from './use-second-factor.ts';

const fewCodes = 3;

export function RecoveryRow({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const confirm = useConfirm();
  const toastFailure = useFailureToast();
  const renew = useRenewRecoveryCodes();

  function onConfirm() {
    // Not the mutation's own callbacks: React Query drops them, and the codes, when the row is unmounted meanwhile.
    void renew
      .mutateAsync()
      .then(({ recovery_codes: codes }) => onCodes(codes))
      .catch(toastFailure);
  }
  return (
    <SettingRow
      title={recoveryText.title}
      text={
        left <= fewCodes ? <span className={styles.caution}>{recoveryText.few(left)}</span> : recoveryText.left(left)
      }
      actions={
        <Button
          loading={renew.isPending}
          onClick={() =>
            confirm({
              title: recoveryText.renewTitle,
              text: recoveryText.renewText,
              confirm: recoveryText.renew,
              onConfirm,
            })
          }
          aria-label={`${recoveryText.renew}${recoveryText.title}`}
        >
          {recoveryText.renew}
        </Button>
      }
    />
  );
}
