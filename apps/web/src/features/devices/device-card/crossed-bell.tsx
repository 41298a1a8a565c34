import { BellOutlined } from '@ant-design/icons';
import styles from '../devices.module.css';

/** The icon for "no alerts". A menu adds the class of its icons. */
export function CrossedBell({ className = '', label }: { className?: string; label?: string }) {
  return (
    <span
      className={`${styles.crossed} ${className}`}
      title={label}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <BellOutlined aria-hidden />
    </span>
  );
}
