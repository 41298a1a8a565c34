import type { ReactNode } from 'react';
import styles from './account.module.css';

type SettingRowProps = {
  title: ReactNode;
  /** The current value, or the setting's purpose. */
  text: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
};

/** A setting of the account: its name, its state and its actions. */
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
