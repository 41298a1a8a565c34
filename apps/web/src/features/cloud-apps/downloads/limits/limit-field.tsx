import { Form, Input, Select, Space } from 'antd';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import { limitOf, speedUnits, type TypedLimit } from './speed-limit.ts';

const unitOptions = speedUnits.map((value) => ({ value, label: `${value}/s` }));
const unitStyle = { flex: 'none', width: 92 };

async function checkLimit(_rule: unknown, typed: TypedLimit): Promise<void> {
  if (limitOf(typed) === undefined) throw new Error(downloadsText.limitWrong);
  await Promise.resolve();
}

/** A speed limit in a form: a number and its unit. */
export function LimitField({ name, label }: { name: string; label: string }) {
  return (
    <Form.Item
      name={name}
      label={label}
      extra={downloadsText.limitHint}
      validateTrigger={['onBlur']}
      rules={[{ validator: checkLimit }]}
    >
      <LimitInput label={label} />
    </Form.Item>
  );
}

type LimitInputProps = {
  label: string;
  // Given by the form's item around it.
  id?: string;
  value?: TypedLimit;
  onChange?: (typed: TypedLimit) => void;
  onBlur?: () => void;
};

function LimitInput({ label, id, value = { amount: '', unit: 'MB' }, onChange, onBlur }: LimitInputProps) {
  return (
    <Space.Compact block>
      <Input
        {...(id !== undefined && { id })}
        value={value.amount}
        inputMode="decimal"
        autoComplete="off"
        maxLength={9}
        {...(onBlur && { onBlur })}
        onChange={(event) => onChange?.({ ...value, amount: event.target.value })}
      />
      <Select
        style={unitStyle}
        aria-label={downloadsText.limitUnit(label)}
        value={value.unit}
        options={unitOptions}
        onChange={(unit) => onChange?.({ ...value, unit })}
      />
    </Space.Compact>
  );
}
