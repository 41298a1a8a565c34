import type { CheckReply } from '@tongtu/contract';
import { errorText } from '../../api/client/error-text.ts';
import { checkText } from '../../text/gate/check.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import type { GateDeps } from './gate-deps.ts';
import { useSwitchAccount } from './use-check.ts';

type AccountButtonProps = { deps: GateDeps; reply: CheckReply; type?: 'default' | 'primary'; onLogIn: () => void };

/** Logs in, or switches to another account. */
export function AccountButton({ deps, reply, type = 'default', onLogIn }: AccountButtonProps) {
  const switchAccount = useSwitchAccount(deps, onLogIn);
  if (!reply.logged_in) {
    return (
      <PlainButton type={type} onClick={onLogIn}>
        {checkText.logIn}
      </PlainButton>
    );
  }
  return (
    <>
      <PlainButton type={type} isLoading={switchAccount.isPending} onClick={() => void switchAccount.submit(undefined)}>
        {checkText.switchAccount}
      </PlainButton>
      {switchAccount.error !== undefined && <span role="alert">{errorText(switchAccount.error)}</span>}
    </>
  );
}
