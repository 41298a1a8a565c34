import { Alert } from 'antd';
import type { AlgorithmMismatch, CloudApp } from '@tongtu/contract';
import { connectingText } from '../../../text/cloud-apps/connecting.ts';
import { Mono } from '../../../ui/mono.tsx';
import styles from './connecting.module.css';

type AlgorithmsPanelProps = { mismatch: AlgorithmMismatch; app: CloudApp };

/** An SSH server that is too old, or too new: what both sides support. */
export function AlgorithmsPanel({ mismatch: { part, theirs, ours }, app }: AlgorithmsPanelProps) {
  const help = app.options.old_algorithms ? connectingText.oldAlgorithmsAllowed : connectingText.oldAlgorithmsHelp;
  return (
    <section className={styles.panel} aria-label={connectingText.algorithmsTitle}>
      <Alert
        type="error"
        showIcon
        title={connectingText.algorithmsTitle}
        description={`${connectingText.algorithmsText(part)}${help}`}
      />
      <dl className={styles.fingerprints}>
        <Algorithms label={connectingText.theirAlgorithms} names={theirs} />
        <Algorithms label={connectingText.ourAlgorithms} names={ours} />
      </dl>
    </section>
  );
}

function Algorithms({ label, names }: { label: string; names: readonly string[] }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Mono>{names.join(', ')}</Mono>
      </dd>
    </div>
  );
}
