import { Checkbox, Form } from 'antd';
import styles from '../mapping-dialog.module.css';

type ExplainedCheckboxProps = { name: string; label: string; hint: string };

/** A checkbox of the form with an explanation. */
export function ExplainedCheckbox({ name, label, hint }: ExplainedCheckboxProps) {
  return (
    <Form.Item
      name={name}
      valuePropName="checked"
      className={styles.tight ?? ''}
      extra={<span className={styles.checkHint}>{hint}</span>}
    >
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
}
