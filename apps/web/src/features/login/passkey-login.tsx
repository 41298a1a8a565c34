import { KeyOutlined } from '@ant-design/icons';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { Alert, Button, Divider } from 'antd';
import type { LoginReply } from '@tongtu/contract';
import { useApi } from '../../api/index.ts';
import { loginText } from '../../text/login.ts';
import { passkeyErrorText } from '../confirm/passkey-error-text.ts';
import styles from './login.module.css';
import { usePasskeyLogin } from './use-passkey-login.ts';

type PasskeyLoginProps = { onReply: (reply: LoginReply) => Promise<void> };

/** The login by a passkey alone, below the other sign-in methods; nothing where the browser has no passkeys. */
export function PasskeyLogin(props: PasskeyLoginProps) {
  return browserSupportsWebAuthn() ? <PasskeyButton {...props} /> : null;
}

function PasskeyButton({ onReply }: PasskeyLoginProps) {
  const { call } = useApi();
  const { isPending, error, logIn } = usePasskeyLogin({ call, onReply });
  return (
    <>
      <Divider plain className={styles.or ?? ''}>
        {loginText.or}
      </Divider>
      {error !== undefined && (
        <Alert type="error" showIcon title={passkeyErrorText(error)} className={styles.error ?? ''} />
      )}
      <Button size="large" block icon={<KeyOutlined aria-hidden />} loading={isPending} onClick={() => void logIn()}>
        {loginText.passkey}
      </Button>
    </>
  );
}
