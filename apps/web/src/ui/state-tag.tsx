import styles from './ui.module.css';

export type StateTone = 'good' | 'bad' | 'caution' | 'muted';

/** A state as colour and text, never as colour alone. */
export function StateTag({ tone, children }: { tone: StateTone; children: string }) {
  return (
    <span className={`${styles.stateTag} ${styles[tone]}`}>
      <span className={styles.stateDot} aria-hidden />
      {children}
    </span>
  );
}
