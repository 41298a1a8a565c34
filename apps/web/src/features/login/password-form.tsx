import { LockOutlined, UserOutlined } from '@ant-design/icons-svg';
import type { LoginReply } from '@tongtu/contract';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { type KeyboardEvent, lazy, type ReactNode, type SubmitEvent, Suspense, useState } from 'react';
import { passwordFormText } from '../../text/login/password-form.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainField } from '../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { useFields } from '../../ui/plain/use-fields.ts';
import { useFirstFocus } from '../../ui/plain/use-first-focus.ts';
import { useSending } from '../../ui/fields/use-sending.ts';
import { createCaptcha } from '../captcha/create-captcha.ts';
import { useFieldMessages } from './field-messages.ts';
import { FormError } from './form-error.tsx';
import type { LoginDeps } from './login-deps.ts';
import styles from './password-form.module.css';
import { useLoginCaptcha } from './use-login-captcha.ts';

/** Most logins need no captcha. */
const LoginCaptchaButton = lazy(async () => ({
  default: (await import('./login-captcha-button.tsx')).LoginCaptchaButton,
}));

type Values = { account: string; password: string };
const names = ['account', 'password'] as const;

function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  return { isOn, watch: (event: KeyboardEvent) => setIsOn(event.getModifierState('CapsLock')) };
}

type PasswordFormProps = {
  deps: LoginDeps;
  /** The inviter's code from the address. */
  aff: string | undefined;
  /** Completes the login, or starts its second step. */
  onReply: (reply: LoginReply) => void;
  onForgotten: () => void;
  children?: ReactNode;
};

/** The login by password. */
export function PasswordForm({ deps, aff, onReply, onForgotten, children }: PasswordFormProps) {
  const { call, solve } = deps;
  const { values, check, report, field } = useFields<keyof Values>({ account: '', password: '' });
  const first = useFirstFocus<HTMLInputElement>();
  const captcha = useLoginCaptcha(createCaptcha({ call, ask: solve, purpose: 'login' }));
  const login = useSending(
    async (body: Values) =>
      onReply(await captcha.run((ticket) => call('POST /custom/login/', { body: { ...body, aff, ticket } }))),
    { staysPending: true },
  );
  const capsLock = useCapsLock();
  const failure = useFieldMessages({ error: login.error, names, report });

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const isComplete = check({
      account: values.account.trim() === '' ? passwordFormText.accountRequired : undefined,
      password: values.password === '' ? passwordFormText.passwordRequired : undefined,
    });
    if (isComplete) void login.submit(values);
  }
  return (
    <form onSubmit={submit} noValidate aria-busy={login.isPending}>
      <PlainField
        {...field('account')}
        ref={first}
        label={passwordFormText.account}
        readOnly={login.isPending}
        icon={<PlainIcon of={UserOutlined} />}
        placeholder={passwordFormText.accountPlaceholder}
        maxLength={MAX_EMAIL_LENGTH}
        // Browsers offer passkeys among the suggestions of this field.
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PlainField
        {...field('password')}
        label={passwordFormText.password}
        isPassword
        status={capsLock.isOn ? passwordFormText.capsLock : undefined}
        readOnly={login.isPending}
        icon={<PlainIcon of={LockOutlined} />}
        placeholder={passwordFormText.passwordPlaceholder}
        maxLength={MAX_PASSWORD_LENGTH}
        autoComplete="current-password"
        onKeyUp={capsLock.watch}
        onKeyDown={capsLock.watch}
      />
      {captcha.state !== undefined && (
        <div className={styles.captcha}>
          <Suspense fallback={null}>
            <LoginCaptchaButton
              state={captcha.state}
              isDisabled={login.isPending}
              onClick={() => void captcha.solve()}
            />
          </Suspense>
        </div>
      )}
      <FormError error={failure} />
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={login.isPending}>
        {passwordFormText.submit}
      </PlainButton>
      <div className={styles.below}>
        <PlainButton type="link" isBlock onClick={onForgotten}>
          {passwordFormText.forgotten}
        </PlainButton>
      </div>
      {children}
    </form>
  );
}
