import tones from './tones.module.css';
import styles from './ui.module.css';

export type StateTone = 'good' | 'bad' | 'caution' | 'muted';

/** A state as colour and text, never as colour alone. */
export function StateTag({ tone, children }: { tone: StateTone; children: string }) {
  return (
    <span className={`${styles.stateTag} ${tones[tone]}`}>
      <span className={styles.stateDot} aria-hidden />
      {children}
    </span>
  );
}
