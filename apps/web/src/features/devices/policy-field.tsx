import { Form, Radio } from 'antd';
import { mappingText } from '../../text/devices.ts';
import styles from './mapping-dialog.module.css';

const policies = ['owner', 'public'] as const;

export function PolicyField() {
  return (
    <Form.Item name="policy" label={mappingText.policyLabel}>
      <Radio.Group className={styles.policies ?? ''}>
        {policies.map((policy) => (
          <Radio key={policy} value={policy}>
            {mappingText.policy[policy]}
            <span className={styles.policyHint}>{mappingText.policyHint[policy]}</span>
          </Radio>
        ))}
      </Radio.Group>
    </Form.Item>
  );
}
