import { Alert, Button, Form, Input } from 'antd';
import type { PasswordChange } from '@tongtu/contract';
import { useEffect } from 'react';
import { errorCode, errorText, fieldErrors } from '../../api/index.ts';
import { usersText } from '../../text/users.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import styles from './users.module.css';
import { useChangePassword } from './use-user-info.ts';

const minPasswordLength = 10;
const maxPasswordLength = 256;

type Fields = PasswordChange & { repeat_password: string };

/** The messages that belong to one field; empty when the failure is about none of them. */
function messagesByField(error: unknown): { name: keyof Fields; errors: string[] }[] {
  if (errorCode(error) === 'password.wrong') return [{ name: 'old_password', errors: [errorText(error)] }];
  const fields = fieldErrors(error);
  const names = ['old_password', 'new_password'] as const;
  return names.flatMap((name) => (fields[name] ? [{ name, errors: fields[name] }] : []));
}

export function PasswordForm({ username }: { username: string }) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const change = useChangePassword();
  const atFields = messagesByField(change.error);

  useEffect(() => {
    form.setFields(messagesByField(change.error));
  }, [form, change.error]);

  const submit = useSubmit({
    send: ({ old_password, new_password }: Fields) => change.mutateAsync({ old_password, new_password }),
    onSuccess: () => toast.success(usersText.changed),
    onFormDone: () => form.resetFields(),
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      requiredMark={false}
      onFinish={(fields) => void submit(fields)}
      className={styles.form ?? ''}
    >
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Form.Item
        name="old_password"
        label={usersText.oldPassword}
        rules={[{ required: true, message: usersText.oldRequired }]}
      >
        <Input.Password autoComplete="current-password" maxLength={maxPasswordLength} />
      </Form.Item>
      <Form.Item
        name="new_password"
        label={usersText.newPassword}
        extra={usersText.passwordHint}
        dependencies={['old_password']}
        rules={[
          { required: true, min: minPasswordLength, message: usersText.newTooShort },
          ({ getFieldValue }) => ({
            validator: (_rule, value) =>
              value && value === getFieldValue('old_password')
                ? Promise.reject(new Error(usersText.sameAsOld))
                : Promise.resolve(),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={maxPasswordLength} />
      </Form.Item>
      <Form.Item
        name="repeat_password"
        label={usersText.repeatPassword}
        dependencies={['new_password']}
        rules={[
          ({ getFieldValue }) => ({
            validator: (_rule, value) =>
              value === getFieldValue('new_password')
                ? Promise.resolve()
                : Promise.reject(new Error(usersText.repeatMismatch)),
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={maxPasswordLength} />
      </Form.Item>
      {change.isError && atFields.length === 0 && (
        <Alert type="error" showIcon title={errorText(change.error)} className={styles.error ?? ''} />
      )}
      <Button type="primary" htmlType="submit" loading={change.isPending}>
        {usersText.change}
      </Button>
    </Form>
  );
}
