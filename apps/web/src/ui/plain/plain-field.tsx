import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons-svg';
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react';
import { uiText } from '../ui-text.ts';
import { PlainIcon } from './plain-icon.tsx';
import styles from './plain.module.css';

type PlainFieldProps = Omit<ComponentPropsWithRef<'input'>, 'id' | 'className' | 'type' | 'prefix'> & {
  label: string;
  isPassword?: boolean;
  icon?: ReactNode;
  /** What is wrong with the value. */
  error: string | undefined;
  /** Said to everybody below the field, such as a state of the keyboard. */
  hint?: string | undefined;
};

/** A labelled text field with its message. */
export function PlainField({ label, isPassword = false, icon, error, hint, ...input }: PlainFieldProps) {
  const id = useId();
  const [isVisible, setIsVisible] = useState(false);
  const isHidden = isPassword && !isVisible;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={`${styles.input} ${error === undefined ? '' : styles.wrong}`}>
        {icon}
        <input
          {...input}
          id={id}
          type={isHidden ? 'password' : 'text'}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        />
        {isPassword && (
          <button
            type="button"
            className={styles.eye}
            aria-label={isVisible ? uiText.hide(label) : uiText.reveal(label)}
            onClick={() => setIsVisible(!isVisible)}
          >
            <PlainIcon of={isVisible ? EyeOutlined : EyeInvisibleOutlined} />
          </button>
        )}
      </span>
      {hint !== undefined && (
        <span className={styles.hint} role="status">
          {hint}
        </span>
      )}
      <span id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </span>
    </div>
  );
}
