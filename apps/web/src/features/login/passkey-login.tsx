import { KeyOutlined } from '@ant-design/icons-svg';
import type { LoginReply } from '@tongtu/contract';
import type { Call } from '../../api/call-types.ts';
import { loginText } from '../../text/login.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';
import { passkeyErrorText } from '../confirm/passkey-error-text.ts';
import styles from './login.module.css';
import { usePasskeyLogin } from './use-passkey-login.ts';

type PasskeyLoginProps = {
  call: Call;
  /** Completes the login. Throws ApiError. */
  onReply: (reply: LoginReply) => Promise<void>;
};

/**
 * The login by a passkey alone, below the other sign-in methods; nothing where the browser has no passkeys. It needs no
 * component library.
 */
export function PasskeyLogin(props: PasskeyLoginProps) {
  return typeof window.PublicKeyCredential === 'function' ? <PasskeyButton {...props} /> : null;
}

function PasskeyButton(props: PasskeyLoginProps) {
  const { isPending, error, logIn } = usePasskeyLogin(props);
  return (
    <div className={styles.passkey}>
      <p className={styles.or}>{loginText.or}</p>
      {error !== undefined && <PlainNotice type="error" text={passkeyErrorText(error)} />}
      <PlainButton isLarge isBlock isLoading={isPending} onClick={() => void logIn()}>
        {!isPending && <PlainIcon of={KeyOutlined} />}
        {loginText.passkey}
      </PlainButton>
    </div>
  );
}
