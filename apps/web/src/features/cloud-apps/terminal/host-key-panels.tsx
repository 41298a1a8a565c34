import { Alert, Button } from 'antd';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { Mono } from '../../../ui/mono.tsx';
import styles from './terminal.module.css';

/** First contact: the user decides whether this is the right machine. */
export function HostKeyPanel({ fingerprint, onAnswer }: { fingerprint: string; onAnswer: (trusted: boolean) => void }) {
  return (
    <section className={styles.panel} aria-label={terminalText.hostKeyTitle}>
      <h2>{terminalText.hostKeyTitle}</h2>
      <Fingerprints of={[[terminalText.fingerprint, fingerprint]]} />
      <p>{terminalText.hostKeyText}</p>
      <p className={styles.command}>
        <Mono>{terminalText.hostKeyCommand}</Mono>
      </p>
      <div className={styles.panelActions}>
        <Button type="primary" onClick={() => onAnswer(true)}>
          {terminalText.trust}
        </Button>
        <Button onClick={() => onAnswer(false)}>{terminalText.doNotTrust}</Button>
      </div>
    </section>
  );
}

/** Another key than the one that was accepted: nothing is sent to this machine. */
export function HostKeyChangedPanel({ known, fingerprint }: { known: string; fingerprint: string }) {
  return (
    <section className={styles.panel} aria-label={terminalText.changedTitle}>
      <Alert type="error" showIcon title={terminalText.changedTitle} description={terminalText.changedText} />
      <Fingerprints
        of={[
          [terminalText.knownFingerprint, known],
          [terminalText.newFingerprint, fingerprint],
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
