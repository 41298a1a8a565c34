import { LockOutlined, UserOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import type { InvitationFacts } from '@tongtu/contract';
import { MAX_PASSWORD_LENGTH, MAX_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths, withQuery } from '../../../paths.ts';
import { joinText } from '../../../text/join.ts';
import { loginText } from '../../../text/login.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { fieldMessages } from '../field-messages.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import { newPasswordRule } from '../new-password-rule.ts';
import { TermsField } from '../terms-field.tsx';
import { useEnter } from '../use-login.ts';
import { useJoin } from './use-join.ts';

type Fields = { username: string; new_password: string; accepted_terms: true };
const names = ['username', 'new_password', 'accepted_terms'] as const;
const fieldOfCode = { 'user.name-taken': 'username' } as const;

type JoinFormProps = { token: string; facts: InvitationFacts };

/** Makes an account by an invitation, and logs in. */
export function JoinForm({ token, facts }: JoinFormProps) {
  const { invited_by: inviter, address, can_join: canJoin } = facts;
  const toLogin = (
    <Link to={withQuery(paths.login, { url: `#${paths.join}?token=${token}` })} className={styles.linkBelow ?? ''}>
      {address === '' ? joinText.toLogin : joinText.hasAccount}
    </Link>
  );
  if (!canJoin) {
    return (
      <>
        <h2 className={styles.title}>{joinText.title}</h2>
        <p className={styles.lead}>{joinText.inviteeOnly(inviter, address)}</p>
        {toLogin}
      </>
    );
  }
  return (
    <>
      <h2 className={styles.title}>{joinText.title}</h2>
      <p className={styles.lead}>{address === '' ? joinText.invited(inviter) : joinText.invitedTo(inviter, address)}</p>
      <Account token={token} />
      {address !== '' && toLogin}
    </>
  );
}

function Account({ token }: { token: string }) {
  const [form] = Form.useForm<Fields>();
  const navigate = useNavigate();
  const enter = useEnter();
  const join = useJoin();
  const atFields = fieldMessages(join.error, fieldOfCode, names);

  useEffect(() => {
    form.setFields(fieldMessages(join.error, fieldOfCode, names));
  }, [form, join.error]);

  const submit = useSubmit({
    send: async ({ username, new_password }: Fields) => {
      await join.mutateAsync({ token, username: username.trim(), new_password, accepted_terms: true });
      await enter();
      await navigate(paths.home, { replace: true });
    },
  });
  const isBusy = join.isPending || join.isSuccess;
  return (
    <Form<Fields>
      form={form}
      name="join"
      layout="vertical"
      requiredMark={false}
      onFinish={(fields) => void submit(fields)}
      disabled={isBusy}
    >
      <Form.Item
        name="username"
        label={joinText.username}
        extra={joinText.usernameHint}
        rules={[{ required: true, whitespace: true, message: joinText.usernameRequired }]}
      >
        <Input
          autoFocus
          size="large"
          prefix={<UserOutlined aria-hidden />}
          maxLength={MAX_USERNAME_LENGTH}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form.Item>
      <Form.Item
        name="new_password"
        label={joinText.password}
        extra={loginText.newPasswordHint}
        rules={[newPasswordRule(() => [String(form.getFieldValue('username') ?? '')])]}
      >
        <Input.Password
          size="large"
          prefix={<LockOutlined aria-hidden />}
          maxLength={MAX_PASSWORD_LENGTH}
          autoComplete="new-password"
        />
      </Form.Item>
      <TermsField form={form} />
      {join.isError && atFields.length === 0 && <FormError error={join.error} />}
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {joinText.submit}
      </Button>
    </Form>
  );
}
