import { LockOutlined, UserOutlined } from '@ant-design/icons-svg';
import type { LoginReply } from '@tongtu/contract';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { Call } from '../../api/call-types.ts';
import { errorText } from '../../api/error-text.ts';
import { loginText } from '../../text/login.ts';
import { CaptchaButton } from '../../ui/captcha/captcha-button.tsx';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainField } from '../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';
import { useSending } from '../../ui/use-sending.ts';
import type { Captcha } from '../captcha/create-captcha.ts';
import { fieldMessages } from './field-messages.ts';
import styles from './login.module.css';
import { useLoginCaptcha } from './use-login-captcha.ts';
import { useSendOnce } from './use-send-once.ts';

type Values = { account: string; password: string };
const names = ['account', 'password'] as const;

function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  return { isOn, watch: (event: KeyboardEvent) => setIsOn(event.getModifierState('CapsLock')) };
}

/** What is missing from the fields. */
function missing({ account, password }: Values): Partial<Values> {
  return {
    ...(account.trim() === '' && { account: loginText.accountRequired }),
    ...(password === '' && { password: loginText.passwordRequired }),
  };
}

type PasswordFormProps = {
  call: Call;
  captcha: Captcha;
  /** The inviter's code from the address. */
  aff: string | undefined;
  /** Completes the login, or starts its second step. Throws ApiError. */
  onReply: (reply: LoginReply) => Promise<void>;
  onForgotten: () => void;
  children?: ReactNode;
};

/** The login by password. It needs no component library, so that it can be used before one is loaded. */
export function PasswordForm({ call, captcha, aff, onReply, onForgotten, children }: PasswordFormProps) {
  const [values, setValues] = useState<Values>({ account: '', password: '' });
  const [problems, setProblems] = useState<Partial<Values>>({});
  const first = useRef<HTMLInputElement>(null);
  const ofCaptcha = useLoginCaptcha(captcha);
  const sendOnce = useSendOnce(onReply);
  const login = useSending(
    (body: Values) =>
      sendOnce(body.account, () =>
        ofCaptcha.run((ticket) => call('POST /custom/login/', { body: { ...body, aff, ticket } })),
      ),
    { staysPending: true },
  );
  const capsLock = useCapsLock();
  const atFields = fieldMessages(login.error, {}, names);

  useEffect(() => first.current?.focus(), []);

  function change(name: keyof Values, value: string) {
    setValues({ ...values, [name]: value });
    setProblems({ ...problems, [name]: undefined });
  }
  function submit(event: SubmitEvent) {
    event.preventDefault();
    const found = missing(values);
    setProblems(found);
    if (Object.keys(found).length === 0) void login.submit(values);
  }
  const messageOf = (name: keyof Values) =>
    problems[name] ?? atFields.find((message) => message.name === name)?.errors.join('；');

  return (
    <form onSubmit={submit} noValidate aria-busy={login.isPending}>
      <PlainField
        ref={first}
        label={loginText.account}
        name="account"
        value={values.account}
        onChange={(event) => change('account', event.currentTarget.value)}
        error={messageOf('account')}
        readOnly={login.isPending}
        icon={<PlainIcon of={UserOutlined} />}
        placeholder={loginText.accountPlaceholder}
        maxLength={MAX_EMAIL_LENGTH}
        // Browsers offer passkeys among the suggestions of this field.
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PlainField
        label={loginText.password}
        isPassword
        name="password"
        value={values.password}
        onChange={(event) => change('password', event.currentTarget.value)}
        error={messageOf('password')}
        hint={capsLock.isOn ? loginText.capsLock : undefined}
        readOnly={login.isPending}
        icon={<PlainIcon of={LockOutlined} />}
        placeholder={loginText.passwordPlaceholder}
        maxLength={MAX_PASSWORD_LENGTH}
        autoComplete="current-password"
        onKeyUp={capsLock.watch}
        onKeyDown={capsLock.watch}
      />
      {ofCaptcha.look && (
        <div className={styles.captcha}>
          <CaptchaButton {...ofCaptcha.look} isDisabled={login.isPending} onClick={() => void ofCaptcha.solve()} />
        </div>
      )}
      {login.error !== undefined && atFields.length === 0 && <PlainNotice type="error" text={errorText(login.error)} />}
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={login.isPending}>
        {loginText.submit}
      </PlainButton>
      <div className={styles.back}>
        <PlainButton type="link" isBlock onClick={onForgotten}>
          {loginText.forgotten}
        </PlainButton>
      </div>
      {children}
    </form>
  );
}
