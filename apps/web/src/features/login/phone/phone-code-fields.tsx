import { MobileOutlined, SafetyOutlined } from '@ant-design/icons';
import { Button, Form, type FormInstance, Input, Select, Space } from 'antd';
import type { SmsPurpose } from '@tongtu/contract';
import { MAX_PHONE_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { useApi, useSiteConfig } from '../../../api/index.ts';
import { codeText } from '../../../text/account.ts';
import { loginText } from '../../../text/login.ts';
import { CodeInput, codeDigits, completeCode } from '../../../ui/code-input.tsx';
import { type CodeAttempt, useSendCode } from '../../codes/use-send-code.ts';
import { FormError } from '../form-error.tsx';
import { fieldMessages } from '../field-messages.ts';
import styles from '../login.module.css';
import { keepPhone, readPhone } from './phone-note.ts';
import { markOf } from '../mark-of.ts';
import { completeNumber, defaultRegion } from './phone-number.ts';

export type PhoneCodeValues = { region: string; phone: string; code: string };

const regionWidthPx = 96;

/** Where the number is that of the person who comes in; elsewhere it is another one. */
const notedPurposes: readonly SmsPurpose[] = ['login', 'reset'];

/** The failures of a call with these fields that stand at one of them. */
export const phoneCodeErrors = {
  'phone.invalid': 'phone',
  'code.wrong': 'code',
  'code.expired': 'code',
} as const;

/** Where there is nothing to choose the code only stands there, and still belongs to what the form sends. */
function RegionField({ regions, initialValue }: { regions: readonly string[]; initialValue: string }) {
  if (regions.length <= 1) {
    return (
      <>
        <Space.Addon>{`+${initialValue}`}</Space.Addon>
        <Form.Item name="region" initialValue={initialValue} hidden>
          <Input />
        </Form.Item>
      </>
    );
  }
  return (
    <Form.Item name="region" initialValue={initialValue} noStyle>
      <Select
        size="large"
        style={{ flex: 'none', width: regionWidthPx }}
        aria-label={loginText.region}
        options={regions.map((region) => ({ value: region, label: `+${region}` }))}
      />
    </Form.Item>
  );
}

type PhoneCodeFieldsProps = {
  form: FormInstance;
  id: string;
  purpose: SmsPurpose;
  isDisabled: boolean;
  attempt: CodeAttempt;
  label?: string;
};

/** A phone number, and the code that is sent to it. */
export function PhoneCodeFields(props: PhoneCodeFieldsProps) {
  const { form, id, purpose, isDisabled, attempt, label = loginText.phone } = props;
  const regions = useSiteConfig()?.phone_regions ?? [defaultRegion];
  const region: string = Form.useWatch('region', form) ?? defaultRegion;
  const phone: string = Form.useWatch('phone', form) ?? '';
  const { call } = useApi();
  const { isSending, waitSeconds, notice, error, send } = useSendCode(
    `sms.${purpose}.${markOf(completeNumber(region, phone) ?? '')}`,
    attempt,
  );
  const isNoted = notedPurposes.includes(purpose);
  const first = isNoted ? readPhone(regions) : { region: regions[0] ?? defaultRegion, phone: '' };
  const atFields = fieldMessages(error, phoneCodeErrors, ['phone', 'code']);

  useEffect(() => {
    form.setFields(fieldMessages(error, phoneCodeErrors, ['phone', 'code']));
  }, [form, error]);

  async function requestCode() {
    const values = await form.validateFields(['region', 'phone']);
    const number = completeNumber(values.region, values.phone);
    if (number === undefined || isSending) return;
    const sent = await send((ticket) =>
      call('POST /api/verify/sms/send/', { body: { phone: number, purpose, ...ticket } }),
    );
    if (!sent) return;
    form.setFields([{ name: 'code', errors: [] }]);
    if (isNoted) keepPhone(values);
    form.getFieldInstance('code')?.focus();
  }

  return (
    <>
      <Form.Item label={label} htmlFor={`${id}_phone`} className={styles.compactItem ?? ''}>
        <Space.Compact block>
          <RegionField regions={regions} initialValue={first.region} />
          <Form.Item
            name="phone"
            initialValue={first.phone}
            noStyle
            validateTrigger="onBlur"
            rules={[
              // Not on leaving it: to come here by a tap moves the focus away from it at once.
              { required: true, whitespace: true, message: loginText.phoneRequired, validateTrigger: 'onSubmit' },
              {
                validator: (_rule, typed: string) =>
                  !typed || completeNumber(region, typed) !== undefined
                    ? Promise.resolve()
                    : Promise.reject(new Error(loginText.phoneInvalid)),
              },
            ]}
          >
            <Input
              autoFocus
              size="large"
              type="tel"
              autoComplete="tel-national"
              prefix={<MobileOutlined aria-hidden />}
              placeholder={loginText.phonePlaceholder}
              maxLength={MAX_PHONE_LENGTH}
            />
          </Form.Item>
        </Space.Compact>
      </Form.Item>
      <Form.Item
        label={loginText.code}
        htmlFor={`${id}_code`}
        {...(notice === undefined ? {} : { extra: <span role="status">{`${notice}。${loginText.notReceived}`}</span> })}
      >
        <Space.Compact block>
          <Form.Item
            name="code"
            noStyle
            normalize={codeDigits}
            validateTrigger="onBlur"
            rules={[
              { required: true, message: loginText.codeRequired, validateTrigger: 'onSubmit' },
              { pattern: completeCode, message: loginText.codeRequired },
            ]}
          >
            <CodeInput size="large" prefix={<SafetyOutlined aria-hidden />} placeholder={loginText.codePlaceholder} />
          </Form.Item>
          <Button
            size="large"
            className={styles.sendCode ?? ''}
            loading={isSending}
            disabled={isDisabled || waitSeconds > 0}
            // What went wrong stands at the fields, or below the form.
            onClick={() => void requestCode().catch(() => undefined)}
          >
            {waitSeconds > 0 ? codeText.resendIn(waitSeconds) : codeText.send}
          </Button>
        </Space.Compact>
      </Form.Item>
      {error !== null && atFields.length === 0 && <FormError error={error} />}
    </>
  );
}
