import { Button, type ButtonProps } from 'antd';
import { accountDataText } from '../../../text/account.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useTellFailure } from '../../confirm/use-tell-failure.ts';
import { useTakeBackDeletion } from './use-account-data.ts';

/** The way back while the account still stands. */
export function TakeBackDeletion({ size }: { size?: ButtonProps['size'] }) {
  const toast = useToast();
  const tellFailure = useTellFailure();
  const takeBack = useTakeBackDeletion();
  return (
    <Button
      size={size}
      loading={takeBack.isPending}
      onClick={() =>
        takeBack.mutate(undefined, {
          onSuccess: () => toast.success(accountDataText.takenBack),
          onError: tellFailure,
        })
      }
    >
      {accountDataText.takeBack}
    </Button>
  );
}
