import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled } from '@ant-design/icons-svg';
import { PlainIcon } from './plain-icon.tsx';
import styles from './plain.module.css';

const icons = { error: CloseCircleFilled, warning: ExclamationCircleFilled, success: CheckCircleFilled };

/** A message in a form that concerns no single field. */
export function PlainNotice({ type, text }: { type: keyof typeof icons; text: string }) {
  return (
    <p className={`${styles.notice} ${styles[`${type}Notice`]}`} role="alert">
      <PlainIcon of={icons[type]} />
      <span>{text}</span>
    </p>
  );
}
