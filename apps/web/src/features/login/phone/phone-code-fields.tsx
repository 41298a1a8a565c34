import { MobileOutlined, SafetyOutlined } from '@ant-design/icons-svg';
import { MAX_PHONE_LENGTH } from '@tongtu/contract/limits';
import { codeText } from '../../../text/account/account.ts';
import { phoneCodeText } from '../../../text/login/login.ts';
import { codeDigits } from '../../../ui/fields/code-digits.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainField } from '../../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { PlainSelect } from '../../../ui/plain/plain-select.tsx';
import { useFirstFocus } from '../../../ui/plain/use-first-focus.ts';
import { FormError } from '../form-error.tsx';
import styles from './phone-code.module.css';
import type { PhoneCode } from './use-phone-code.ts';

type PhoneCodeFieldsProps = { phone: PhoneCode; isDisabled: boolean; label?: string };

/** The fields of a phone number, and of the code that is sent to it. */
export function PhoneCodeFields({ phone, isDisabled, label = phoneCodeText.phone }: PhoneCodeFieldsProps) {
  const { field, change, regions, region, sending, sendFailure, codeInput, ...actions } = phone.fields;
  const first = useFirstFocus<HTMLInputElement>();
  const { isSending, waitSeconds, notice } = sending;
  return (
    <>
      <PlainField
        {...field('phone')}
        ref={first}
        label={label}
        type="tel"
        before={
          <PlainSelect
            label={phoneCodeText.region}
            options={regions.map((code) => ({ value: code, label: `+${code}` }))}
            value={region}
            onChange={(code) => change('region', code)}
          />
        }
        icon={<PlainIcon of={MobileOutlined} />}
        placeholder={phoneCodeText.phonePlaceholder}
        autoComplete="tel-national"
        maxLength={MAX_PHONE_LENGTH}
        readOnly={isDisabled}
        onBlur={actions.reviewNumber}
      />
      <PlainField
        {...field('code')}
        ref={codeInput}
        label={phoneCodeText.code}
        icon={<PlainIcon of={SafetyOutlined} />}
        placeholder={phoneCodeText.codePlaceholder}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        readOnly={isDisabled}
        onChange={(event) => change('code', codeDigits(event.currentTarget.value))}
        onBlur={actions.reviewCode}
        status={notice === undefined ? undefined : `${notice}。${phoneCodeText.notReceived}`}
        after={
          <span className={styles.send}>
            <PlainButton
              isLoading={isSending}
              isDisabled={isDisabled || waitSeconds > 0}
              onClick={() => void actions.requestCode()}
            >
              {waitSeconds > 0 ? codeText.resendIn(waitSeconds) : codeText.send}
            </PlainButton>
          </span>
        }
      />
      <FormError error={sendFailure} />
    </>
  );
}
