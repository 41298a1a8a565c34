import { Form, Input } from 'antd';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { alertFormText } from '../../../../text/account/alerts.ts';
import { sharedText } from '../../../../text/shared.ts';

export function NameField() {
  return (
    <Form.Item
      name="name"
      label={alertFormText.name}
      rules={[
        { required: true, whitespace: true, message: alertFormText.nameRequired },
        { max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) },
      ]}
    >
      <Input autoComplete="off" />
    </Form.Item>
  );
}
