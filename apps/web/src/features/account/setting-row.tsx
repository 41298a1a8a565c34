import type { ReactNode } from 'react';
import styles from './account.module.css';

type SettingRowProps = {
  title: ReactNode;
  /** What it is now, or what it is for. */
  text: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
};

/** One thing of the account: what it is, how it stands, and what can be done with it. */
export function SettingRow({ title, text, actions, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.rowLine}>
        <div className={styles.rowAbout}>
          <div className={styles.rowTitle}>{title}</div>
          <div className={styles.rowText}>{text}</div>
        </div>
        {actions !== undefined && <div className={styles.rowActions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
