import type { ReactNode } from 'react';
import styles from '../ui.module.css';

function Drawing() {
  return (
    <svg width="180" height="110" viewBox="0 0 180 110" fill="none" aria-hidden>
      <ellipse cx="90" cy="98" rx="82" ry="8" fill="var(--ant-color-fill-tertiary)" />
      <g stroke="var(--ant-color-primary)" strokeWidth="2.5" strokeLinecap="round">
        <path d="M60 84c8-22 18-34 30-34s22 12 30 34" strokeDasharray="5 6" />
        <path d="M52 84h76" opacity=".5" />
      </g>
      <rect
        x="8"
        y="44"
        width="44"
        height="50"
        rx="6"
        fill="var(--ant-color-bg-container)"
        stroke="var(--ant-color-border)"
        strokeWidth="2"
      />
      <path d="M18 58h24M18 68h24" stroke="var(--ant-color-text-quaternary)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="40" cy="82" r="3.5" fill="var(--ant-color-success)" />
      <rect
        x="124"
        y="36"
        width="50"
        height="46"
        rx="6"
        fill="var(--ant-color-bg-container)"
        stroke="var(--ant-color-border)"
        strokeWidth="2"
      />
      <path d="M124 48h50" stroke="var(--ant-color-border)" strokeWidth="2" />
      <circle cx="131" cy="42" r="2" fill="var(--ant-color-primary)" />
      <path d="M149 82v10M138 94h22" stroke="var(--ant-color-border)" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

type EmptyStateProps = { title: string; text: string; action?: ReactNode };

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Drawing />
      <div className={styles.emptyTitle}>{title}</div>
      <div className={styles.emptyText}>{text}</div>
      {action}
    </div>
  );
}
