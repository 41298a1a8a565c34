import type { RequestBody } from '@tongtu/contract';
import type { SubmitEvent } from 'react';
import { loginText } from '../../../text/login/login.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { useSending } from '../../../ui/fields/use-sending.ts';
import { createCaptcha } from '../../captcha/create-captcha.ts';
import { useFieldMessages } from '../field-messages.ts';
import { FormError } from '../form-error.tsx';
import type { SignInMethodProps } from '../login-deps.ts';
import styles from '../login.module.css';
import { NewPasswordField, useNewPassword } from './new-password-field.tsx';
import { PhoneCodeFields } from '../phone/phone-code-fields.tsx';
import { usePhoneCode } from '../phone/use-phone-code.ts';

const names = ['new_password'] as const;

type ResetPasswordProps = Pick<SignInMethodProps, 'deps' | 'site'> & { onDone: () => void };

/** Sets a new password for a user who has the account's phone. */
export function ResetPassword({ deps: { call, solve }, site, onDone }: ResetPasswordProps) {
  const reset = useSending(async (body: RequestBody<'POST /api/verify/password/reset/'>) => {
    await call('POST /api/verify/password/reset/', { body });
    onDone();
  });
  const captcha = createCaptcha({ call, ask: solve, purpose: 'sms' });
  const phone = usePhoneCode({ call, captcha, purpose: 'reset', regions: site?.phone_regions, attempt: reset });
  const newPassword = useNewPassword([phone.number ?? '']);
  const failure = useFieldMessages({ error: phone.failure, names, report: newPassword.report });

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const typed = phone.check();
    const isStrong = newPassword.check();
    if (typed && isStrong) void reset.submit({ ...typed, new_password: newPassword.password });
  }
  return (
    <form onSubmit={submit} noValidate aria-busy={reset.isPending}>
      <p className={styles.hintAbove}>{loginText.resetHint}</p>
      <PhoneCodeFields phone={phone} isDisabled={reset.isPending} />
      <NewPasswordField newPassword={newPassword} label={loginText.newPassword} isDisabled={reset.isPending} />
      <FormError error={failure} />
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={reset.isPending}>
        {loginText.resetSubmit}
      </PlainButton>
    </form>
  );
}
