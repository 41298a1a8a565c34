import { Button, type ButtonProps } from 'antd';
import type { CheckReply } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { checkText } from '../../text/check.ts';
import { useLoginFor, useSwitchAccount } from './use-check.ts';

type AccountButtonProps = Pick<ButtonProps, 'type'> & { reply: CheckReply; url: string };

/** Logs in, or switches to another account. */
export function AccountButton({ reply, url, type = 'default' }: AccountButtonProps) {
  const logIn = useLoginFor(url);
  const switchAccount = useSwitchAccount(url);
  if (!reply.logged_in) {
    return (
      <Button type={type} onClick={logIn}>
        {checkText.logIn}
      </Button>
    );
  }
  return (
    <>
      <Button type={type} loading={switchAccount.isPending} onClick={() => switchAccount.mutate()}>
        {checkText.switchAccount}
      </Button>
      {switchAccount.isError && <span role="alert">{errorText(switchAccount.error)}</span>}
    </>
  );
}
