import { MailOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Input } from 'antd';
import { MAX_EMAIL_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { fieldErrors } from '../../api/index.ts';
import { forgottenText } from '../../text/join.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { FormError } from './form-error.tsx';
import styles from './login.module.css';
import { useForgottenByMail } from './use-login.ts';

/** Sends a link for another password to the account's address. The answer is the same whether or not there is one. */
export function ForgottenByMail() {
  const [form] = Form.useForm<{ email: string }>();
  const send = useForgottenByMail();
  const { error, data: sentTo } = send;
  const atField = fieldErrors(error)['email'];
  useEffect(() => {
    if (atField) form.setFields([{ name: 'email', errors: [forgottenText.emailInvalid] }]);
  }, [form, atField]);
  const submit = useSubmit({ send: ({ email }: { email: string }) => send.mutateAsync(email.trim()) });
  if (sentTo !== undefined) {
    return (
      <Alert
        type="success"
        showIcon
        role="status"
        title={forgottenText.sent(sentTo)}
        description={forgottenText.notReceived}
      />
    );
  }
  return (
    <Form
      form={form}
      name="forgotten"
      layout="vertical"
      requiredMark={false}
      onFinish={(fields: { email: string }) => void submit(fields)}
      disabled={send.isPending}
    >
      <p className={styles.hintAbove}>{forgottenText.mailHint}</p>
      <Form.Item
        name="email"
        label={forgottenText.email}
        validateTrigger="onBlur"
        rules={[{ required: true, whitespace: true, message: forgottenText.emailInvalid }]}
      >
        <Input
          type="email"
          size="large"
          prefix={<MailOutlined aria-hidden />}
          maxLength={MAX_EMAIL_LENGTH}
          autoComplete="email"
        />
      </Form.Item>
      {error !== null && !atField && <FormError error={error} />}
      <Button type="primary" size="large" htmlType="submit" block loading={send.isPending}>
        {forgottenText.send}
      </Button>
    </Form>
  );
}
