import type { ReactNode } from 'react';
import styles from './mono.module.css';

/** Addresses, keys and ids in a monospaced font. */
export function Mono({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span className={styles.mono} title={title}>
      {children}
    </span>
  );
}
