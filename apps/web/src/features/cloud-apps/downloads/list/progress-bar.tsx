import styles from './list.module.css';

type ProgressBarProps = { label: string; done: number; total: number; tone: 'running' | 'resting' | 'done' | 'failed' };

export function ProgressBar({ label, done, total, tone }: ProgressBarProps) {
  const percent = percentOf(done, total);
  return (
    <div
      className={`${styles.progress} ${styles[tone]}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

/** Rounded down: only what is complete has 100. */
export function percentOf(done: number, total: number): number {
  return total > 0 ? Math.floor((Math.min(done, total) / total) * 100) : 0;
}
