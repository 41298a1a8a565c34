import { KeyOutlined } from '@ant-design/icons-svg';
import type { LoginReply } from '@tongtu/contract';
import type { Call } from '../../../api/client/call-types.ts';
import { passkeyLoginText } from '../../../text/login/passkey.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { passkeyErrorText } from '../../confirm/passkey-error-text.ts';
import { FormError } from '../form-error.tsx';
import styles from './passkey-button.module.css';
import { usePasskeyLogin } from './use-passkey-login.ts';

export type PasskeyButtonProps = {
  call: Call;
  /** Completes the login. */
  onReply: (reply: LoginReply) => void;
};

export function PasskeyButton(props: PasskeyButtonProps) {
  const { isPending, error, logIn } = usePasskeyLogin(props);
  return (
    <>
      <p className={styles.or}>{passkeyLoginText.or}</p>
      <FormError error={error} textOf={passkeyErrorText} />
      <PlainButton isLarge isBlock isLoading={isPending} onClick={() => void logIn()}>
        {!isPending && <PlainIcon of={KeyOutlined} />}
        {passkeyLoginText.logIn}
      </PlainButton>
    </>
  );
}
