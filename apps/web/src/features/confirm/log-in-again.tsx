import { Button } from 'antd';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';
import { confirmText } from '../../text/account/account.ts';
import styles from './confirm.module.css';
import { Problem } from './problem.tsx';

/** For users without a usable method: a new session counts as confirmed. */
export function LogInAgain() {
  const api = useApi();
  const leave = useMutation({ mutationFn: () => api.endSession(), onSuccess: () => api.leaveForLogin() });
  return (
    <>
      <p className={styles.hint}>{confirmText.noMethod}</p>
      <Problem error={leave.error} />
      <Button type="primary" block loading={leave.isPending} onClick={() => leave.mutate()}>
        {confirmText.logInAgain}
      </Button>
    </>
  );
}
