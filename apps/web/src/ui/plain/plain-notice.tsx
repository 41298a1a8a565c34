import styles from './plain.module.css';

const signs = { error: 'M8 4.5v4m0 2.5v.5', warning: 'M8 4.5v4m0 2.5v.5', success: 'm5 8.2 2.2 2.2 4-4.6' };

/** A message in a form that concerns no single field. */
export function PlainNotice({ type, text }: { type: keyof typeof signs; text: string }) {
  return (
    <p className={`${styles.notice} ${styles[`${type}Notice`]}`} role={type === 'success' ? 'status' : 'alert'}>
      {/* Drawn here, because the library's three icons are as large as the rest of this file. */}
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle cx="8" cy="8" r="8" fill="currentColor" />
        <path
          d={signs[type]}
          fill="none"
          stroke="var(--ant-color-bg-container)"
          strokeWidth="1.6"
          strokeLinecap="round"
        />
      </svg>
      <span>{text}</span>
    </p>
  );
}
