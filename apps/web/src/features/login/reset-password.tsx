import { LockOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import { MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { loginText } from '../../text/login.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { fieldMessages } from './field-messages.ts';
import { FormError } from './form-error.tsx';
import styles from './login.module.css';
import { newPasswordRule } from './new-password-rule.ts';
import { PhoneCodeFields, phoneCodeErrors, type PhoneCodeValues } from './phone/phone-code-fields.tsx';
import { completeNumber } from './phone/phone-number.ts';
import { useResetPassword } from './use-login.ts';

type Fields = PhoneCodeValues & { new_password: string };
const names = ['phone', 'code', 'new_password'] as const;

type ResetPasswordProps = { onDone: () => void };

/** Sets a new password for a user who has the account's phone. */
export function ResetPassword({ onDone }: ResetPasswordProps) {
  const [form] = Form.useForm<Fields>();
  const reset = useResetPassword();
  const atFields = fieldMessages(reset.error, phoneCodeErrors, names);

  useEffect(() => {
    form.setFields(fieldMessages(reset.error, phoneCodeErrors, names));
  }, [form, reset.error]);

  const submit = useSubmit({
    send: ({ region, phone, code, new_password }: Fields) =>
      reset.mutateAsync({ phone: completeNumber(region, phone) ?? phone, code, new_password }),
    onFormDone: onDone,
  });

  return (
    <Form<Fields>
      form={form}
      name="reset-password"
      layout="vertical"
      requiredMark={false}
      onFinish={(fields) => void submit(fields)}
      disabled={reset.isPending}
    >
      <p className={styles.hintAbove}>{loginText.resetHint}</p>
      <PhoneCodeFields form={form} id="reset-password" purpose="reset" isDisabled={reset.isPending} attempt={reset} />
      <Form.Item
        name="new_password"
        label={loginText.newPassword}
        extra={loginText.newPasswordHint}
        rules={[
          newPasswordRule(() => [completeNumber(form.getFieldValue('region'), form.getFieldValue('phone')) ?? '']),
        ]}
      >
        <Input.Password
          size="large"
          prefix={<LockOutlined aria-hidden />}
          maxLength={MAX_PASSWORD_LENGTH}
          autoComplete="new-password"
        />
      </Form.Item>
      {reset.isError && atFields.length === 0 && <FormError error={reset.error} />}
      <Button type="primary" size="large" htmlType="submit" block loading={reset.isPending}>
        {loginText.resetSubmit}
      </Button>
    </Form>
  );
}
