import type { ReactNode } from 'react';
import tones from '../tones.module.css';
import styles from './status-card.module.css';

type StatusCardProps = {
  tone: 'accent' | 'good' | 'caution' | 'error';
  icon: ReactNode;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
};

const toneClass = { accent: tones.accent, good: tones.good, caution: tones.caution, error: tones.bad };

/** A single message that fills the screen: what happened, and what the user can do. */
export function StatusCard({ tone, icon, title, description, actions }: StatusCardProps) {
  return (
    <section className={styles.statusCard} aria-live="polite">
      <span className={`${styles.statusIcon} ${toneClass[tone]}`} aria-hidden="true">
        {icon}
      </span>
      <h1 className={styles.statusTitle}>{title}</h1>
      {description !== undefined && <div className={styles.statusText}>{description}</div>}
      {actions !== undefined && <div className={styles.statusActions}>{actions}</div>}
    </section>
  );
}
