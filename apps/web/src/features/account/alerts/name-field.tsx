import { Form, Input } from 'antd';
import { alertFormText } from '../../../text/alerts.ts';
import { sharedText } from '../../../text/shared.ts';
import { maxNameLength } from './channel-fields.ts';

export function NameField() {
  return (
    <Form.Item
      name="name"
      label={alertFormText.name}
      rules={[
        { required: true, whitespace: true, message: alertFormText.nameRequired },
        { max: maxNameLength, message: sharedText.tooLong(maxNameLength) },
      ]}
    >
      <Input autoComplete="off" />
    </Form.Item>
  );
}
