import { Button, type ButtonProps } from 'antd';
import { accountDataText } from '../../../text/account.ts';
import { useTell } from '../../confirm/use-tell.ts';
import { useTakeBackDeletion } from './use-account-data.ts';

/** The way back while the account still stands. */
export function TakeBackDeletion({ size }: { size?: ButtonProps['size'] }) {
  const tell = useTell();
  const takeBack = useTakeBackDeletion();
  return (
    <Button
      size={size}
      loading={takeBack.isPending}
      onClick={() => tell(takeBack.mutateAsync(), accountDataText.takenBack)}
    >
      {accountDataText.takeBack}
    </Button>
  );
}
