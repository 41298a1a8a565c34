import { Alert, Button, Flex, Spin } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { appFailures } from '@tongtu/contract/app-failures';
import type { ReactNode } from 'react';
import { connectingText } from '../../../text/cloud-apps/connecting.ts';
import { AlgorithmsPanel } from './algorithms-panel.tsx';
import { CredentialsForm, type CredentialsWords } from './credentials-form.tsx';
import { HostKeyChangedPanel, HostKeyPanel } from './host-key-panels.tsx';
import { mayBeOff, WakeAndOpenButton } from '../waking/wake-and-open-button.tsx';
import styles from './connecting.module.css';
import type { ConnectionStage, useTargetLogin } from './use-target-login.ts';

type LoginPanelProps = {
  connection: ReturnType<typeof useTargetLogin>;
  app: CloudApp;
  /** What the form of the login says of this kind of app. */
  words?: CredentialsWords;
};

/** Their targets show a TLS certificate in place of an SSH host key. */
const certificateKinds: readonly CloudApp['kind'][] = ['webdav', 'aria2'];

/** Over what the app shows: what the login needs from the user before it goes on. */
export function LoginPanel(props: LoginPanelProps) {
  const { stage } = props.connection;
  if (stage.type === 'connected') return null;
  return <div className={`${styles.overlay} ${styles.masked}`}>{panelOf(stage, props)}</div>;
}

function panelOf(
  stage: Exclude<ConnectionStage, { type: 'connected' }>,
  { connection: { connect, trust }, app, words }: LoginPanelProps,
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
          isCertificate={certificateKinds.includes(app.kind)}
          onAnswer={(isTrusted) => trust(stage.fingerprint, isTrusted)}
        />
      );
    case 'host-key-changed':
      return <HostKeyChangedPanel known={stage.known} fingerprint={stage.fingerprint} />;
    case 'no-common-algorithm':
      return <AlgorithmsPanel mismatch={stage.mismatch} app={app} />;
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
      title={connectingText.connectFailed}
      description={text}
      action={
        <Flex wrap gap="small">
          {children}
          <Button onClick={onRetry}>{connectingText.retry}</Button>
        </Flex>
      }
    />
  );
}
