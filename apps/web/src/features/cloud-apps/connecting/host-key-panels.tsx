import { Alert, Button } from 'antd';
import { connectingText } from '../../../text/cloud-apps/connecting.ts';
import { Mono } from '../../../ui/mono.tsx';
import styles from './connecting.module.css';

type HostKeyPanelProps = {
  fingerprint: string;
  /** The fingerprint is that of a TLS certificate, and not of an SSH host key. */
  isCertificate?: boolean;
  onAnswer: (trusted: boolean) => void;
};

/** First contact: the user decides whether this is the right machine. */
export function HostKeyPanel({ fingerprint, isCertificate = false, onAnswer }: HostKeyPanelProps) {
  const title = isCertificate ? connectingText.certificateTitle : connectingText.hostKeyTitle;
  return (
    <section className={styles.panel} aria-label={title}>
      <h2>{title}</h2>
      <Fingerprints of={[[connectingText.fingerprint, fingerprint]]} />
      <p>{isCertificate ? connectingText.certificateText : connectingText.hostKeyText}</p>
      {!isCertificate && (
        <p className={styles.command}>
          <Mono>{connectingText.hostKeyCommand}</Mono>
        </p>
      )}
      <div className={styles.panelActions}>
        <Button type="primary" onClick={() => onAnswer(true)}>
          {connectingText.trust}
        </Button>
        <Button onClick={() => onAnswer(false)}>{connectingText.doNotTrust}</Button>
      </div>
    </section>
  );
}

/** Another key than the one that was accepted: nothing is sent to this machine. */
export function HostKeyChangedPanel({ known, fingerprint }: { known: string; fingerprint: string }) {
  return (
    <section className={styles.panel} aria-label={connectingText.changedTitle}>
      <Alert type="error" showIcon title={connectingText.changedTitle} description={connectingText.changedText} />
      <Fingerprints
        of={[
          [connectingText.knownFingerprint, known],
          [connectingText.newFingerprint, fingerprint],
        ]}
      />
    </section>
  );
}

function Fingerprints({ of }: { of: [label: string, fingerprint: string][] }) {
  return (
    <dl className={styles.fingerprints}>
      {of.map(([label, fingerprint]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Mono>{fingerprint}</Mono>
          </dd>
        </div>
      ))}
    </dl>
  );
}
