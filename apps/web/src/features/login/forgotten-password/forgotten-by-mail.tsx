import { MailOutlined } from '@ant-design/icons-svg';
import { MAX_EMAIL_LENGTH } from '@tongtu/contract/limits';
import { type SubmitEvent, useState } from 'react';
import { fieldErrors } from '../../../api/client/api-error.ts';
import { forgottenText } from '../../../text/login/join.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainField } from '../../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { PlainNotice } from '../../../ui/plain/plain-notice.tsx';
import { useFields } from '../../../ui/plain/use-fields.ts';
import { useFirstFocus } from '../../../ui/plain/use-first-focus.ts';
import { useSending } from '../../../ui/fields/use-sending.ts';
import { createCaptcha } from '../../captcha/create-captcha.ts';
import { FormError } from '../form-error.tsx';
import type { LoginDeps } from '../login-deps.ts';
import styles from '../login.module.css';

/** Sends a link for another password to the account's address. The answer is the same whether or not there is one. */
export function ForgottenByMail({ deps: { call, solve } }: { deps: LoginDeps }) {
  const { values, field, check, report } = useFields({ email: '' });
  const [sentTo, setSentTo] = useState<string>();
  const first = useFirstFocus<HTMLInputElement>();
  const captcha = createCaptcha({ call, ask: solve, purpose: 'sms' });
  const sending = useSending(async (email: string) => {
    const send = (solved: { ticket?: string }) =>
      call('POST /api/invitation/forgotten/', { body: { email, ...solved } });
    try {
      if (await captcha.sendSolved(send, undefined)) setSentTo(email);
    } catch (error) {
      if (!fieldErrors(error)['email']) throw error;
      report({ email: forgottenText.emailInvalid });
    }
  });
  function submit(event: SubmitEvent) {
    event.preventDefault();
    const email = values.email.trim();
    if (check({ email: email === '' ? forgottenText.emailInvalid : undefined })) void sending.submit(email);
  }

  if (sentTo !== undefined) {
    return <PlainNotice type="success" text={`${forgottenText.sent(sentTo)}${forgottenText.notReceived}`} />;
  }
  return (
    <form onSubmit={submit} noValidate aria-busy={sending.isPending}>
      <p className={styles.hintAbove}>{forgottenText.mailHint}</p>
      <PlainField
        {...field('email')}
        ref={first}
        label={forgottenText.email}
        type="email"
        icon={<PlainIcon of={MailOutlined} />}
        maxLength={MAX_EMAIL_LENGTH}
        autoComplete="email"
        readOnly={sending.isPending}
      />
      <FormError error={sending.error} />
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={sending.isPending}>
        {forgottenText.send}
      </PlainButton>
    </form>
  );
}
