import { Form, Select } from 'antd';
import { linkText } from '../../../text/manage.ts';

export const defaultLifeHours = 72;

const options = linkText.lives.map(({ hours, word }) => ({ value: hours, label: word }));

/** For how long a one-time link can be used; the field `validHours`. */
export function LifeField() {
  return (
    <Form.Item name="validHours" label={linkText.life}>
      <Select options={options} />
    </Form.Item>
  );
}
