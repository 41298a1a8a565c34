import type { ReactNode } from 'react';
import styles from './statistics.module.css';

/** A table that may be longer than its place. */
export function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long table is scrolled by keyboard
    <div className={styles.scrolled} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}
