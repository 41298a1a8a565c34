import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import styles from './ui.module.css';

/** What shows and hides a password, large enough for a finger (WCAG 2.2, 2.5.8). */
export function passwordEye(isVisible: boolean) {
  return <span className={styles.eye}>{isVisible ? <EyeOutlined /> : <EyeInvisibleOutlined />}</span>;
}
