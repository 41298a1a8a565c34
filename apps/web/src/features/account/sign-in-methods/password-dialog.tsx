import type { Profile } from '@tongtu/contract';
import { Form, Input } from 'antd';
import { MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { errorCode, errorText, fieldErrors } from '../../../api/index.ts';
import { passwordText } from '../../../text/account/users.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { newPasswordRule } from '../../login/forgotten-password/new-password-rule.ts';
import { useChangePassword } from '../use-user-info.ts';
import styles from '../account.module.css';

type Fields = { old_password?: string; new_password: string; repeat_password: string };

/** The messages for single fields; empty when the failure concerns none. */
function messagesByField(error: unknown): { name: keyof Fields; errors: string[] }[] {
  if (errorCode(error) === 'password.wrong') return [{ name: 'old_password', errors: [errorText(error)] }];
  const fields = fieldErrors(error);
  const names = ['old_password', 'new_password'] as const;
  return names.flatMap((name) => (fields[name] ? [{ name, errors: fields[name] }] : []));
}

type PasswordDialogProps = {
  profile: Profile;
  hasPassword: boolean;
  onClose: () => void;
};

/** Changes the password, or sets the first one for a user of phone or WeChat. */
export function PasswordDialog({ profile, hasPassword, onClose }: PasswordDialogProps) {
  const { username, email, phone_number: phone } = profile;
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const change = useChangePassword();
  const atFields = messagesByField(change.error);

  useEffect(() => {
    form.setFields(messagesByField(change.error));
  }, [form, change.error]);

  const submit = useSubmit({
    send: ({ old_password: old, new_password }: Fields) =>
      change.mutateAsync({ new_password, ...(old === undefined ? {} : { old_password: old }) }),
    onSuccess: () => toast.success(hasPassword ? passwordText.changed : passwordText.firstSet),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  return (
    <Dialog
      title={hasPassword ? passwordText.title : passwordText.firstTitle}
      okText={hasPassword ? passwordText.title : passwordText.set}
      confirmLoading={change.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="password"
        layout="vertical"
        requiredMark={false}
        onFinish={(fields) => void submit(fields)}
        className={styles.form ?? ''}
      >
        {/* Lets password managers know the account of this password. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        {hasPassword && <OldPassword />}
        <NewPassword own={[username, email, phone]} />
        <RepeatPassword />
        <SubmitOnEnter />
      </Form>
      {atFields.length === 0 && <Problem error={change.error} />}
    </Dialog>
  );
}

function OldPassword() {
  return (
    <Form.Item
      name="old_password"
      label={passwordText.old}
      rules={[{ required: true, message: passwordText.oldRequired }]}
    >
      <Input.Password autoFocus autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
    </Form.Item>
  );
}

function NewPassword({ own }: { own: readonly string[] }) {
  return (
    <Form.Item
      name="new_password"
      label={passwordText.new}
      extra={passwordText.newHint}
      dependencies={['old_password']}
      rules={[
        newPasswordRule(() => own),
        ({ getFieldValue }) => ({
          validator: (_rule, value) =>
            value && value === getFieldValue('old_password')
              ? Promise.reject(new Error(passwordText.sameAsOld))
              : Promise.resolve(),
        }),
      ]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  );
}

function RepeatPassword() {
  return (
    <Form.Item
      name="repeat_password"
      label={passwordText.repeat}
      dependencies={['new_password']}
      rules={[
        ({ getFieldValue }) => ({
          validator: (_rule, value) =>
            value === getFieldValue('new_password')
              ? Promise.resolve()
              : Promise.reject(new Error(passwordText.repeatMismatch)),
        }),
      ]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  );
}
