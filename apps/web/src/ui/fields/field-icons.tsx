import { CloseCircleFilled, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import styles from '../ui.module.css';

/** Buttons inside fields, large enough for a finger (WCAG 2.2, 2.5.8). */
function Touchable({ children }: { children: ReactNode }) {
  return <span className={styles.touchable}>{children}</span>;
}

/** Shows and hides a password. */
export function passwordEye(isVisible: boolean) {
  return <Touchable>{isVisible ? <EyeOutlined /> : <EyeInvisibleOutlined />}</Touchable>;
}

/** Clears a field. Some of antd's buttons consist only of their icon, so the icon's label is the button's name. */
export function clearable(label?: string) {
  return {
    clearIcon: (
      <Touchable>{label === undefined ? <CloseCircleFilled /> : <CloseCircleFilled aria-label={label} />}</Touchable>
    ),
  };
}
