import {
  CheckCircleFilled,
  CloseCircleFilled,
  ExclamationCircleFilled,
  SafetyCertificateOutlined,
} from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { PlainIcon } from '../plain/plain-icon.tsx';
import { captchaText } from './captcha-text.ts';
import styles from './captcha-button.module.css';

/** Specification §4. */
export type CaptchaButtonVariant = 'default' | 'warn' | 'error' | 'success';

const icons: Record<CaptchaButtonVariant, ReactNode> = {
  default: <PlainIcon of={SafetyCertificateOutlined} />,
  warn: <PlainIcon of={ExclamationCircleFilled} />,
  error: <PlainIcon of={CloseCircleFilled} />,
  success: <PlainIcon of={CheckCircleFilled} />,
};

type CaptchaButtonProps = {
  variant?: CaptchaButtonVariant;
  isDisabled?: boolean;
  title?: string;
  onClick?: () => void;
};

/** Opens a captcha and shows its result afterwards. */
export function CaptchaButton(props: CaptchaButtonProps) {
  const { variant = 'default', isDisabled = false, title = captchaText.buttonTitle, onClick } = props;
  return (
    <button
      type="button"
      className={`${styles.button} ${styles[variant]}`}
      data-variant={variant}
      disabled={isDisabled}
      onClick={onClick}
    >
      <span className={styles.buttonIcon} aria-hidden="true">
        {icons[variant]}
      </span>
      <span aria-live="polite">{title}</span>
    </button>
  );
}
