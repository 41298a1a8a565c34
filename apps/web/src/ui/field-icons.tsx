import { CloseCircleFilled, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import styles from './ui.module.css';

/** The buttons inside fields, large enough for a finger (WCAG 2.2, 2.5.8). */
function Touchable({ children }: { children: ReactNode }) {
  return <span className={styles.touchable}>{children}</span>;
}

/** What shows and hides a password. */
export function passwordEye(isVisible: boolean) {
  return <Touchable>{isVisible ? <EyeOutlined /> : <EyeInvisibleOutlined />}</Touchable>;
}

/** What empties a field. Some of antd's buttons are nothing but their icon, so the icon's name is the button's. */
export function clearable(label?: string) {
  return {
    clearIcon: (
      <Touchable>{label === undefined ? <CloseCircleFilled /> : <CloseCircleFilled aria-label={label} />}</Touchable>
    ),
  };
}
