import { Alert, Button, Spin } from 'antd';
import { appFailures } from '@tongtu/contract/app-failures';
import { filesText } from '../../../../text/cloud-apps/files.ts';
import { CredentialsForm } from '../../terminal/credentials-form.tsx';
import { HostKeyChangedPanel, HostKeyPanel } from '../../terminal/host-key-panels.tsx';
import styles from '../files.module.css';
import type { ConnectionStage, useFilesConnection } from './use-files-connection.ts';

type LoginPanelProps = { connection: ReturnType<typeof useFilesConnection> };

/** Over the files: what the login needs from the user before it goes on. */
export function LoginPanel({ connection }: LoginPanelProps) {
  const { stage } = connection;
  if (stage.type === 'connected') return null;
  return <div className={styles.overlay}>{panelOf(stage, connection)}</div>;
}

function panelOf(
  stage: Exclude<ConnectionStage, { type: 'connected' }>,
  { connect, trust }: LoginPanelProps['connection'],
) {
  switch (stage.type) {
    case 'connecting':
      return (
        <div className={styles.connecting} role="status">
          <Spin size="small" /> {filesText.connecting}
        </div>
      );
    case 'credentials':
      return (
        <CredentialsForm
          isRefused={stage.isRefused}
          wanted={stage.wanted}
          onSubmit={(credentials) => void connect(credentials)}
        />
      );
    case 'host-key':
      return (
        <HostKeyPanel fingerprint={stage.fingerprint} onAnswer={(isTrusted) => trust(stage.fingerprint, isTrusted)} />
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
      title={filesText.connectFailed}
      description={text}
      action={<Button onClick={onRetry}>{filesText.retry}</Button>}
    />
  );
}
