import { LockOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import { MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { joinText } from '../../../text/join.ts';
import { loginText } from '../../../text/login.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { fieldMessages } from '../field-messages.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import { newPasswordRule } from '../new-password-rule.ts';
import { useChoosePassword } from './use-join.ts';

type Fields = { new_password: string };
const names = ['new_password'] as const;

type ChoosePasswordProps = { token: string; username: string };

/** Sets the password of the link's account. */
export function ChoosePassword({ token, username }: ChoosePasswordProps) {
  const [form] = Form.useForm<Fields>();
  const navigate = useNavigate();
  const choose = useChoosePassword();
  const atFields = fieldMessages(choose.error, {}, names);
  useEffect(() => {
    form.setFields(fieldMessages(choose.error, {}, names));
  }, [form, choose.error]);
  const submit = useSubmit({
    send: ({ new_password }: Fields) => choose.mutateAsync({ token, new_password }),
  });

  if (choose.isSuccess) {
    return (
      <div role="status">
        <h2 className={styles.title}>{joinText.done}</h2>
        <p className={styles.lead}>{joinText.doneHint(username)}</p>
        <Button type="primary" size="large" block onClick={() => void navigate(paths.login, { replace: true })}>
          {joinText.toLogin}
        </Button>
      </div>
    );
  }
  return (
    <>
      <h2 className={styles.title}>{joinText.passwordTitle}</h2>
      <p className={styles.lead}>{joinText.choose(username)}</p>
      <Form<Fields>
        form={form}
        name="choose-password"
        layout="vertical"
        requiredMark={false}
        onFinish={(fields) => void submit(fields)}
        disabled={choose.isPending}
      >
        {/* Password managers store the password under this name. */}
        <input type="text" hidden readOnly autoComplete="username" value={username} />
        <Form.Item
          name="new_password"
          label={joinText.newPassword}
          extra={loginText.newPasswordHint}
          rules={[newPasswordRule(() => [username])]}
        >
          <Input.Password
            autoFocus
            size="large"
            prefix={<LockOutlined aria-hidden />}
            maxLength={MAX_PASSWORD_LENGTH}
            autoComplete="new-password"
          />
        </Form.Item>
        {choose.isError && atFields.length === 0 && <FormError error={choose.error} />}
        <Button type="primary" size="large" htmlType="submit" block loading={choose.isPending}>
          {joinText.setPassword}
        </Button>
      </Form>
    </>
  );
}
