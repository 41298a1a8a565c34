import { MAX_RECOVERY_CODE_LENGTH } from '@tongtu/contract/limits';
import type { ChangeEvent, SubmitEvent } from 'react';
import { secondStepText } from '../../../text/login/second-step.ts';
import { codeDigits, completeCode } from '../../../ui/fields/code-digits.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainField } from '../../../ui/plain/plain-field.tsx';
import { useFields } from '../../../ui/plain/use-fields.ts';
import { useFirstFocus } from '../../../ui/plain/use-first-focus.ts';

export type TypedProof = { code: string } | { recovery_code: string };

type SecondCodeFieldProps = {
  method: 'totp' | 'recovery_code';
  isBusy: boolean;
  onProof: (proof: TypedProof) => void;
};

/** A code of an app, sent as soon as it is complete, or a recovery code. */
export function SecondCodeField({ method, isBusy, onProof }: SecondCodeFieldProps) {
  const { values, field, change, check } = useFields({ code: '' });
  const first = useFirstFocus<HTMLInputElement>();
  const isTotp = method === 'totp';

  function typeDigits(event: ChangeEvent<HTMLInputElement>) {
    const code = codeDigits(event.currentTarget.value);
    change('code', code);
    if (completeCode.test(code) && code !== values.code) onProof({ code });
  }
  function submit(event: SubmitEvent) {
    event.preventDefault();
    const code = values.code.trim();
    if (isTotp && check({ code: completeCode.test(code) ? undefined : secondStepText.codeRequired })) onProof({ code });
    if (!isTotp && check({ code: code === '' ? secondStepText.recoveryRequired : undefined }))
      onProof({ recovery_code: code });
  }
  const ofKind = isTotp
    ? { inputMode: 'numeric' as const, autoComplete: 'one-time-code', onChange: typeDigits }
    : { autoComplete: 'off', autoCapitalize: 'none', maxLength: MAX_RECOVERY_CODE_LENGTH };
  return (
    <form onSubmit={submit} noValidate aria-busy={isBusy}>
      <PlainField
        {...field('code')}
        {...ofKind}
        ref={first}
        label={isTotp ? secondStepText.code : secondStepText.recoveryCode}
        spellCheck={false}
        readOnly={isBusy}
      />
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={isBusy}>
        {secondStepText.submit}
      </PlainButton>
    </form>
  );
}
