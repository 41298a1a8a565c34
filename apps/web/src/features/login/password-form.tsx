import { LockOutlined, UserOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useSiteConfig } from '../../api/index.ts';
import { loginText } from '../../text/login.ts';
import { CaptchaButton } from '../../ui/captcha/captcha-button.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { fieldMessages } from './field-messages.ts';
import { FormError } from './form-error.tsx';
import styles from './login.module.css';
import type { SignInMethodProps } from './sign-in-methods.ts';
import { usePasswordLogin } from './use-login.ts';
import { useLoginCaptcha } from './use-login-captcha.ts';

type Fields = { account: string; password: string };
const names = ['account', 'password'] as const;

function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  return { isOn, watch: (event: KeyboardEvent) => setIsOn(event.getModifierState('CapsLock')) };
}

type PasswordFormProps = SignInMethodProps & { onForgotten: () => void };

export function PasswordForm({ aff, onReply, onForgotten }: PasswordFormProps) {
  const [form] = Form.useForm<Fields>();
  const isFirstLogin = useSiteConfig()?.has_administrator === false;
  const captcha = useLoginCaptcha();
  const login = usePasswordLogin((reply) => onReply('password', reply), captcha.run);
  const capsLock = useCapsLock();
  const atFields = fieldMessages(login.error, {}, names);

  useEffect(() => {
    form.setFields(fieldMessages(login.error, {}, names));
  }, [form, login.error]);

  const submit = useSubmit({
    send: ({ account, password }: Fields) => login.mutateAsync({ account, password, aff }),
  });

  const isBusy = login.isPending || login.isSuccess;
  return (
    <Form<Fields>
      form={form}
      name="password-login"
      layout="vertical"
      requiredMark={false}
      onFinish={(fields) => void submit(fields)}
      disabled={isBusy}
    >
      <Form.Item
        name="account"
        label={loginText.account}
        rules={[{ required: true, whitespace: true, message: loginText.accountRequired }]}
      >
        <Input
          autoFocus
          size="large"
          prefix={<UserOutlined aria-hidden />}
          placeholder={loginText.accountPlaceholder}
          maxLength={MAX_EMAIL_LENGTH}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form.Item>
      <Form.Item
        name="password"
        label={loginText.password}
        rules={[{ required: true, message: loginText.passwordRequired }]}
        {...(capsLock.isOn ? { extra: <span role="status">{loginText.capsLock}</span> } : {})}
      >
        <Input.Password
          size="large"
          prefix={<LockOutlined aria-hidden />}
          placeholder={loginText.passwordPlaceholder}
          maxLength={MAX_PASSWORD_LENGTH}
          autoComplete="current-password"
          onKeyUp={capsLock.watch}
          onKeyDown={capsLock.watch}
        />
      </Form.Item>
      {captcha.look && (
        <div className={styles.captcha}>
          <CaptchaButton {...captcha.look} isDisabled={isBusy} onClick={() => void captcha.solve()} />
        </div>
      )}
      {login.isError && atFields.length === 0 && <FormError error={login.error} />}
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {loginText.submit}
      </Button>
      <Button type="link" block className={styles.back ?? ''} onClick={onForgotten}>
        {loginText.forgotten}
      </Button>
      {isFirstLogin && <p className={styles.hint}>{loginText.firstTime}</p>}
    </Form>
  );
}
