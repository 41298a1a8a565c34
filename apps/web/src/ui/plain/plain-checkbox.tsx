import type { ReactNode } from 'react';
import styles from './plain-form.module.css';

type PlainCheckboxProps = {
  children: ReactNode;
  isChecked: boolean;
  isDisabled?: boolean;
  /** The id of the element that says what is wrong. */
  errorId?: string | undefined;
  onChange: (isChecked: boolean) => void;
};

export function PlainCheckbox({ children, isChecked, isDisabled = false, errorId, onChange }: PlainCheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
