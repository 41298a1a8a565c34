import type { RequestBody } from '@tongtu/contract';
import type { SubmitEvent } from 'react';
import { loginText } from '../../../text/login/login.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { useSending } from '../../../ui/fields/use-sending.ts';
import { createCaptcha } from '../../captcha/create-captcha.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import type { SignInMethodProps } from '../login-deps.ts';
import { TermsField, useTerms } from '../terms/terms-field.tsx';
import { PhoneCodeFields } from './phone-code-fields.tsx';
import { usePhoneCode } from './use-phone-code.ts';

/** Logs in with a code. A number without an account gets one. */
export function PhoneForm({ deps, site, aff, onReply }: SignInMethodProps) {
  const { call, solve } = deps;
  const registration = site?.registration;
  const login = useSending(
    async (body: RequestBody<'POST /api/verify/login/phone/'>) =>
      onReply('phone', await call('POST /api/verify/login/phone/', { body })),
    { staysPending: true },
  );
  const captcha = createCaptcha({ call, ask: solve, purpose: 'sms' });
  const phone = usePhoneCode({ call, captcha, purpose: 'login', regions: site?.phone_regions, attempt: login });
  const terms = useTerms();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const typed = phone.check();
    const hasAgreed = terms.check();
    if (typed && hasAgreed) void login.submit({ ...typed, accepted_terms: true, aff });
  }
  return (
    <form onSubmit={submit} noValidate aria-busy={login.isPending}>
      <PhoneCodeFields phone={phone} isDisabled={login.isPending} />
      <TermsField terms={terms} isDisabled={login.isPending} />
      <FormError error={phone.failure} />
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={login.isPending}>
        {registration === 'open' ? loginText.phoneSubmit : loginText.submit}
      </PlainButton>
      {registration && <p className={styles.hint}>{loginText.phoneHints[registration]}</p>}
    </form>
  );
}
