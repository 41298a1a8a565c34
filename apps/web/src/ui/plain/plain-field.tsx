import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons-svg';
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react';
import '../theme/theme.css';
import { plainText } from './plain-text.ts';
import { PlainIcon } from './plain-icon.tsx';
import styles from './plain.module.css';

type PlainFieldProps = Omit<ComponentPropsWithRef<'input'>, 'id' | 'className' | 'type' | 'prefix'> & {
  label: string;
  type?: 'text' | 'tel' | 'email';
  isPassword?: boolean;
  icon?: ReactNode;
  /** Controls beside the text. */
  before?: ReactNode;
  after?: ReactNode;
  /** What is wrong with the value. */
  error: string | undefined;
  /** How to fill it in. */
  hint?: string;
  /** What has happened, such as a state of the keyboard. It is read out. */
  status?: string | undefined;
};

/** A labelled text field with its message. */
export function PlainField(props: PlainFieldProps) {
  const { label, type = 'text', isPassword = false, icon, before, after, error, hint, status, ...input } = props;
  const id = useId();
  const [isVisible, setIsVisible] = useState(false);
  const isHidden = isPassword && !isVisible;
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.line}>
        {before}
        <span className={`${styles.input} ${error === undefined ? '' : styles.wrong}`}>
          {icon}
          <input
            {...input}
            id={id}
            type={isHidden ? 'password' : type}
            aria-invalid={error !== undefined}
            aria-describedby={described.join(' ') || undefined}
          />
          {isPassword && (
            <button
              type="button"
              className={styles.iconButton}
              aria-label={isVisible ? plainText.hide(label) : plainText.reveal(label)}
              onClick={() => setIsVisible(!isVisible)}
            >
              <PlainIcon of={isVisible ? EyeOutlined : EyeInvisibleOutlined} />
            </button>
          )}
        </span>
        {after}
      </div>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {status !== undefined && (
        <span className={styles.hint} role="status">
          {status}
        </span>
      )}
      <span id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </span>
    </div>
  );
}
