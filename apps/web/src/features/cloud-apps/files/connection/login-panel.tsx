import { Alert, Button, Flex, Spin } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { appFailures } from '@tongtu/contract/app-failures';
import type { ReactNode } from 'react';
import { filesText } from '../../../../text/cloud-apps/files.ts';
import { CredentialsForm } from '../../connecting/credentials-form.tsx';
import { HostKeyChangedPanel, HostKeyPanel } from '../../connecting/host-key-panels.tsx';
import connectingStyles from '../../connecting/connecting.module.css';
import { mayBeOff, WakeAndOpenButton } from '../../waking/wake-and-open-button.tsx';
import styles from '../files.module.css';
import type { ConnectionStage, useFilesConnection } from './use-files-connection.ts';

type LoginPanelProps = {
  connection: ReturnType<typeof useFilesConnection>;
  app: CloudApp;
};

/** Over the files: what the login needs from the user before it goes on. */
export function LoginPanel(props: LoginPanelProps) {
  const { stage } = props.connection;
  if (stage.type === 'connected') return null;
  return <div className={`${connectingStyles.overlay} ${styles.masked}`}>{panelOf(stage, props)}</div>;
}

function panelOf(
  stage: Exclude<ConnectionStage, { type: 'connected' }>,
  { connection: { connect, trust }, app }: LoginPanelProps,
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
        <HostKeyPanel
          fingerprint={stage.fingerprint}
          isCertificate={app.kind === 'webdav'} // in place of an SSH host key
          onAnswer={(isTrusted) => trust(stage.fingerprint, isTrusted)}
        />
      );
    case 'host-key-changed':
      return <HostKeyChangedPanel known={stage.known} fingerprint={stage.fingerprint} />;
    case 'not-trusted':
      return <Failure text={appFailures['host-key-refused'].zh} onRetry={() => void connect({})} />;
    case 'failed':
      return (
        <Failure text={stage.text} onRetry={() => void connect({})}>
          {mayBeOff(stage.code?.replace(/^target\./, '')) && <WakeAndOpenButton app={app} />}
        </Failure>
      );
  }
}

type FailureProps = { text: string; onRetry: () => void; children?: ReactNode };

function Failure({ text, onRetry, children }: FailureProps) {
  return (
    <Alert
      type="error"
      showIcon
      className={styles.failure ?? ''}
      title={filesText.connectFailed}
      description={text}
      action={
        <Flex wrap gap="small">
          {children}
          <Button onClick={onRetry}>{filesText.retry}</Button>
        </Flex>
      }
    />
  );
}
