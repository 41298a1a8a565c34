import { KeyOutlined } from '@ant-design/icons-svg';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import type { LoginReply } from '@tongtu/contract';
import type { Call } from '../../api/call-types.ts';
import { loginText } from '../../text/login.ts';
import { passkeyErrorText } from '../confirm/passkey-error-text.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';
import styles from './login.module.css';
import { usePasskeyLogin } from './use-passkey-login.ts';

type PasskeyLoginProps = { call: Call; onReply: (reply: LoginReply) => Promise<void> };

/** The login by a passkey alone, below the other sign-in methods; nothing where the browser has no passkeys. */
export function PasskeyLogin(props: PasskeyLoginProps) {
  return browserSupportsWebAuthn() ? <PasskeyButton {...props} /> : null;
}

function PasskeyButton({ call, onReply }: PasskeyLoginProps) {
  const { isPending, error, logIn } = usePasskeyLogin({ call, onReply });
  return (
    <>
      <div className={styles.or}>{loginText.or}</div>
      {error !== undefined && <PlainNotice type="error" text={passkeyErrorText(error)} />}
      <PlainButton isLarge isBlock isLoading={isPending} onClick={() => void logIn()}>
        <PlainIcon of={KeyOutlined} /> {loginText.passkey}
      </PlainButton>
    </>
  );
}
