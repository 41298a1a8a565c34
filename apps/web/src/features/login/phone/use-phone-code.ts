import type { SmsPurpose } from '@tongtu/contract';
import { useRef } from 'react';
import type { Call } from '../../../api/client/call-types.ts';
import { phoneCodeText } from '../../../text/login/login.ts';
import { completeCode } from '../../../ui/fields/code-digits.ts';
import { useFields } from '../../../ui/plain/use-fields.ts';
import type { Captcha } from '../../captcha/create-captcha.ts';
import { type CodeAttempt, useSendCode } from '../../codes/use-send-code.ts';
import { useFieldMessages } from '../field-messages.ts';
import { shortHash } from '../short-hash.ts';
import { readPhone, writePhone } from './phone-note.ts';
import { completeNumber, defaultRegion } from './phone-number.ts';

/** True when the number is that of the user who logs in. */
const storedPurposes: readonly SmsPurpose[] = ['login', 'reset'];

const fieldOfCode = { 'phone.invalid': 'phone', 'code.wrong': 'code', 'code.expired': 'code' } as const;
const names = ['phone', 'code'] as const;

type PhoneCodeInput = {
  call: Call;
  captcha: Captcha;
  purpose: SmsPurpose;
  /** The regions that the server lists, once they are known. */
  regions: readonly string[] | undefined;
  attempt: CodeAttempt;
};

/** A phone number, and the code that is sent to it. */
export function usePhoneCode({ call, captcha, purpose, regions = [defaultRegion], attempt }: PhoneCodeInput) {
  const isStored = storedPurposes.includes(purpose);
  const fields = useFields({ ...(isStored ? readPhone(regions) : { region: '', phone: '' }), code: '' });
  const { phone, code } = fields.values;
  const region = regions.includes(fields.values.region) ? fields.values.region : (regions[0] ?? defaultRegion);
  const number = completeNumber(region, phone);
  const sending = useSendCode(`sms.${purpose}.${shortHash(number ?? '')}`, attempt, captcha);
  const codeInput = useRef<HTMLInputElement>(null);
  const shared = { fieldOfCode, names, report: fields.report };
  const sendFailure = useFieldMessages({ error: sending.error, ...shared });
  const failure = useFieldMessages({ error: attempt.error, ...shared });

  function numberProblem(): string | undefined {
    if (phone.trim() === '') return phoneCodeText.phoneRequired;
    return number === undefined ? phoneCodeText.phoneInvalid : undefined;
  }
  function codeProblem(): string | undefined {
    return completeCode.test(code) ? undefined : phoneCodeText.codeRequired;
  }
  /** What is missing is no mistake yet: a tap elsewhere moves the focus away from the field at once. */
  function reviewNumber(): void {
    if (phone !== '') fields.check({ phone: numberProblem() });
  }
  function reviewCode(): void {
    if (code !== '') fields.check({ code: codeProblem() });
  }
  /** The values for the server's call; without them it shows what is wrong. */
  function check(): { phone: string; code: string } | undefined {
    const isGood = fields.check({ phone: numberProblem(), code: codeProblem() });
    return isGood && number !== undefined ? { phone: number, code } : undefined;
  }
  async function requestCode(): Promise<void> {
    if (!fields.check({ phone: numberProblem() }) || number === undefined) return;
    const sent = await sending.send((ticket) =>
      call('POST /api/verify/sms/send/', { body: { phone: number, purpose, ...ticket } }),
    );
    if (!sent) return;
    fields.report({ code: undefined });
    if (isStored) writePhone({ region, phone });
    codeInput.current?.focus();
  }
  return {
    check,
    /** The attempt's failure, unless the fields show it. */
    failure,
    number,
    /** For `PhoneCodeFields`. */
    fields: { ...fields, regions, region, sending, sendFailure, codeInput, reviewNumber, reviewCode, requestCode },
  };
}

export type PhoneCode = ReturnType<typeof usePhoneCode>;
