import { Alert, Button, Spin } from 'antd';
import { appFailures } from '@tongtu/contract/app-failures';
import { connectingText } from '../../../text/cloud-apps/connecting.ts';
import { CredentialsForm, type CredentialsWords } from './credentials-form.tsx';
import { HostKeyChangedPanel, HostKeyPanel } from './host-key-panels.tsx';
import styles from './connecting.module.css';
import type { ConnectionStage, useTargetLogin } from './use-target-login.ts';

type LoginPanelProps = {
  connection: ReturnType<typeof useTargetLogin>;
  /** The target shows a TLS certificate in place of an SSH host key. */
  isCertificate: boolean;
  /** What the form of the login says of this kind of app. */
  words?: CredentialsWords;
};

/** Over what the app shows: what the login needs from the user before it goes on. */
export function LoginPanel(props: LoginPanelProps) {
  const { stage } = props.connection;
  if (stage.type === 'connected') return null;
  return <div className={`${styles.overlay} ${styles.masked}`}>{panelOf(stage, props)}</div>;
}

function panelOf(
  stage: Exclude<ConnectionStage, { type: 'connected' }>,
  { connection: { connect, trust }, isCertificate, words }: LoginPanelProps,
) {
  switch (stage.type) {
    case 'connecting':
      return (
        <div className={styles.connecting} role="status">
          <Spin size="small" /> {connectingText.connecting}
        </div>
      );
    case 'credentials':
      return (
        <CredentialsForm
          isRefused={stage.isRefused}
          wanted={stage.wanted}
          {...(words && { words })}
          onSubmit={(credentials) => void connect(credentials)}
        />
      );
    case 'host-key':
      return (
        <HostKeyPanel
          fingerprint={stage.fingerprint}
          isCertificate={isCertificate}
          onAnswer={(isTrusted) => trust(stage.fingerprint, isTrusted)}
        />
      );
    case 'host-key-changed':
      return <HostKeyChangedPanel known={stage.known} fingerprint={stage.fingerprint} />;
    case 'not-trusted':
      return <Failure text={appFailures['host-key-refused'].zh} onRetry={() => void connect({})} />;
    case 'failed':
      return <Failure text={stage.text} onRetry={() => void connect({})} />;
  }
}

function Failure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Alert
      type="error"
      showIcon
      className={styles.failure ?? ''}
      title={connectingText.connectFailed}
      description={text}
      action={<Button onClick={onRetry}>{connectingText.retry}</Button>}
    />
  );
}
