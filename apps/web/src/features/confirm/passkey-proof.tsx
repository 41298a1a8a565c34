import { Button } from 'antd';
import { useMutation } from '@tanstack/react-query';
import { confirmText } from '../../text/account/account.ts';
import styles from './confirm.module.css';
import { passkeyErrorText } from './passkey-error-text.ts';
import { Problem } from './problem.tsx';
import { useSendProof, usePasskeyProof } from './use-proof.ts';

export function PasskeyProof({ onConfirmed }: { onConfirmed: () => void }) {
  const passkey = usePasskeyProof();
  const sendProof = useSendProof();
  const prove = useMutation({
    mutationFn: async () => await sendProof.mutateAsync(await passkey.mutateAsync()),
    onSuccess: onConfirmed,
  });
  return (
    <>
      <p className={styles.hint}>{confirmText.passkeyHint}</p>
      <Problem error={prove.error} textOf={passkeyErrorText} />
      <Button type="primary" block autoFocus loading={prove.isPending} onClick={() => prove.mutate()}>
        {confirmText.usePasskey}
      </Button>
    </>
  );
}
