import { Radio, type RadioGroupProps } from 'antd';
import styles from '../mapping-dialog.module.css';

type ExplainedRadiosProps = Pick<RadioGroupProps, 'value' | 'onChange' | 'id'> & {
  label: string;
  options: readonly { value: string; label: string; hint: string }[];
};

/** Radio buttons, each with an explanation. The form passes `value` and `onChange`. */
export function ExplainedRadios({ label, options, ...field }: ExplainedRadiosProps) {
  return (
    <Radio.Group {...field} className={styles.choices ?? ''} aria-label={label}>
      {options.map((option) => (
        <Radio key={option.value} value={option.value}>
          {option.label}
          <span className={styles.choiceHint}>{option.hint}</span>
        </Radio>
      ))}
    </Radio.Group>
  );
}
