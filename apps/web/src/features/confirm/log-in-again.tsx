import { Alert, Button } from 'antd';
import { useMutation } from '@tanstack/react-query';
import { errorText, useApi } from '../../api/index.ts';
import { confirmText } from '../../text/account.ts';
import styles from './confirm.module.css';

/** The way of last resort: a session that has just begun counts as confirmed. */
export function LogInAgain() {
  const api = useApi();
  const leave = useMutation({ mutationFn: () => api.endSession(), onSuccess: () => api.leaveForLogin() });
  return (
    <>
      <p className={styles.hint}>{confirmText.noWay}</p>
      {leave.isError && <Alert type="error" showIcon title={errorText(leave.error)} className={styles.problem ?? ''} />}
      <Button type="primary" block loading={leave.isPending} onClick={() => leave.mutate()}>
        {confirmText.logInAgain}
      </Button>
    </>
  );
}
