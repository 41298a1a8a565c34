import { Form, InputNumber } from 'antd';
import { timeoutRangesS } from '@tongtu/contract/mapping-options';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import styles from '../mapping-dialog.module.css';

type TimeoutFieldProps = {
  name: keyof typeof timeoutRangesS;
  label: string;
  hint: (min: number, max: number) => string;
};

function TimeoutField({ name, label, hint }: TimeoutFieldProps) {
  const { min, max } = timeoutRangesS[name];
  async function checkRange(_rule: unknown, seconds: number | null): Promise<void> {
    if (seconds === null || seconds < min || seconds > max) throw new Error(mappingFormText.secondsRange(min, max));
  }
  return (
    <Form.Item name={name} label={label} extra={hint(min, max)} rules={[{ validator: checkRange }]}>
      <InputNumber
        precision={0}
        controls={false}
        inputMode="numeric"
        suffix={mappingFormText.seconds}
        className={styles.seconds ?? ''}
      />
    </Form.Item>
  );
}

/** How long the relay waits for the service. */
export function TimeoutFields() {
  return (
    <>
      <h3 className={styles.section}>{mappingFormText.timeouts}</h3>
      <TimeoutField
        name="answerTimeoutS"
        label={mappingFormText.answerTimeout}
        hint={mappingFormText.answerTimeoutHint}
      />
      <TimeoutField
        name="silenceTimeoutS"
        label={mappingFormText.silenceTimeout}
        hint={mappingFormText.silenceTimeoutHint}
      />
    </>
  );
}
