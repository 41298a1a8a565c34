import { Button, type ButtonProps } from 'antd';
import { accountDataText } from '../../../text/account/account.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { useTakeBackDeletion } from './use-account-data.ts';

/** Cancels the scheduled deletion of the account. */
export function TakeBackDeletion({ size }: { size?: ButtonProps['size'] }) {
  const toastOutcome = useMutationToast();
  const takeBack = useTakeBackDeletion();
  return (
    <Button
      size={size}
      loading={takeBack.isPending}
      onClick={() => toastOutcome(takeBack.mutateAsync(), accountDataText.takenBack)}
    >
      {accountDataText.takeBack}
    </Button>
  );
}
