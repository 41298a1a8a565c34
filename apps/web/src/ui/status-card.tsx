import type { ReactNode } from 'react';
import styles from './ui.module.css';

type StatusCardProps = {
  tone: 'accent' | 'good' | 'caution' | 'error';
  icon: ReactNode;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
};

const toneClass = { accent: styles.accent, good: styles.good, caution: styles.caution, error: styles.bad };

/** One message that fills a page: what happened and the ways on. */
export function StatusCard({ tone, icon, title, description, actions }: StatusCardProps) {
  return (
    <section className={styles.statusCard} aria-live="polite">
      <span className={`${styles.statusIcon} ${toneClass[tone]}`} aria-hidden>
        {icon}
      </span>
      <h1 className={styles.statusTitle}>{title}</h1>
      {description !== undefined && <div className={styles.statusText}>{description}</div>}
      {actions !== undefined && <div className={styles.statusActions}>{actions}</div>}
    </section>
  );
}
