import { LockOutlined, UserOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Input } from 'antd';
import type { LoginRequest } from '@tongtu/contract';
import { type KeyboardEvent, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { errorText } from '../../api/index.ts';
import { sessionLost } from '../../paths.ts';
import { loginText } from '../../text/login.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import styles from './login.module.css';
import { useLogin } from './use-login.ts';

const maxAccountLength = 254;
const maxPasswordLength = 256;

function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  return { isOn, watch: (event: KeyboardEvent) => setIsOn(event.getModifierState('CapsLock')) };
}

export function LoginForm() {
  const login = useLogin();
  const revalidator = useRevalidator();
  const capsLock = useCapsLock();
  const isSessionLost = useLocation().state === sessionLost;

  const submit = useSubmit({
    async send(body: LoginRequest) {
      await login.mutateAsync(body);
      // The route's guard decides where a logged-in visitor goes; it has only to be asked again.
      await revalidator.revalidate();
    },
  });

  const isBusy = login.isPending || login.isSuccess;
  return (
    <Form<LoginRequest> layout="vertical" requiredMark={false} onFinish={(body) => void submit(body)} disabled={isBusy}>
      <h2 className={styles.title}>{loginText.title}</h2>
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
          maxLength={maxAccountLength}
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
          maxLength={maxPasswordLength}
          autoComplete="current-password"
          onKeyUp={capsLock.watch}
          onKeyDown={capsLock.watch}
        />
      </Form.Item>
      {isSessionLost && !login.isError && (
        <Alert type="warning" showIcon title={loginText.sessionLost} className={styles.error ?? ''} />
      )}
      {login.isError && <Alert type="error" showIcon title={errorText(login.error)} className={styles.error ?? ''} />}
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {loginText.submit}
      </Button>
      <p className={styles.hint}>{loginText.firstTime}</p>
    </Form>
  );
}
