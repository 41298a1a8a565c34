import { MobileOutlined, SafetyOutlined } from '@ant-design/icons';
import { Button, Form, type FormInstance, Input, Select, Space } from 'antd';
import type { SmsPurpose } from '@tongtu/contract';
import { useEffect } from 'react';
import { useSiteConfig } from '../../api/index.ts';
import { loginText } from '../../text/login.ts';
import { CodeInput, codeDigits, completeCode } from '../../ui/code-input.tsx';
import { keepNote, readNote } from '../../ui/session-note.ts';
import { FormError } from './form-error.tsx';
import { fieldMessages } from './field-messages.ts';
import styles from './login.module.css';
import { completeNumber, defaultRegion } from './phone-number.ts';
import { useSendCode } from './use-send-code.ts';

export type PhoneCodeValues = { region: string; phone: string; code: string };

const maxPhoneLength = 32;
const regionWidthPx = 96;
const phoneNote = 'tongtu.login-phone';
const regionNote = 'tongtu.login-region';

/** The number to which this tab has last sent a code: a reload must not make anybody type it again. */
function rememberedRegion(regions: readonly string[]): string {
  const noted = readNote(regionNote);
  return regions.includes(noted) ? noted : (regions[0] ?? defaultRegion);
}

/** The failures of a call with these fields that stand at one of them. */
export const phoneCodeErrors = {
  'phone.invalid': 'phone',
  'code.wrong': 'code',
  'code.expired': 'code',
} as const;

/** Where there is nothing to choose the code only stands there, and still belongs to what the form sends. */
function RegionField({ regions }: { regions: readonly string[] }) {
  const initialValue = rememberedRegion(regions);
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
  label?: string;
};

/** A phone number, and the code that is sent to it. */
export function PhoneCodeFields(props: PhoneCodeFieldsProps) {
  const { form, id, purpose, isDisabled, label = loginText.phone } = props;
  const regions = useSiteConfig()?.phone_regions ?? [defaultRegion];
  const region: string = Form.useWatch('region', form) ?? defaultRegion;
  const phone: string = Form.useWatch('phone', form) ?? '';
  const { send, secondsLeft } = useSendCode(purpose, completeNumber(region, phone));
  const atFields = fieldMessages(send.error, phoneCodeErrors, ['phone', 'code']);

  useEffect(() => {
    form.setFields(fieldMessages(send.error, phoneCodeErrors, ['phone', 'code']));
  }, [form, send.error]);

  async function requestCode() {
    const values = await form.validateFields(['region', 'phone']);
    const number = completeNumber(values.region, values.phone);
    if (number === undefined || send.isPending) return;
    const sent = await send.mutateAsync(number);
    if (!sent) return;
    keepNote(phoneNote, values.phone);
    keepNote(regionNote, values.region);
    form.getFieldInstance('code')?.focus();
  }

  return (
    <>
      <Form.Item label={label} htmlFor={`${id}_phone`} className={styles.compactItem ?? ''}>
        <Space.Compact block>
          <RegionField regions={regions} />
          <Form.Item
            name="phone"
            initialValue={readNote(phoneNote)}
            noStyle
            validateTrigger="onBlur"
            rules={[
              { required: true, whitespace: true, message: loginText.phoneRequired },
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
              maxLength={maxPhoneLength}
            />
          </Form.Item>
        </Space.Compact>
      </Form.Item>
      <Form.Item
        label={loginText.code}
        htmlFor={`${id}_code`}
        {...(send.data
          ? { extra: <span role="status">{loginText.codeSent(Math.round(send.data.expires_in / 60))}</span> }
          : {})}
      >
        <Space.Compact block>
          <Form.Item
            name="code"
            noStyle
            normalize={codeDigits}
            validateTrigger="onBlur"
            rules={[{ required: true, pattern: completeCode, message: loginText.codeRequired }]}
          >
            <CodeInput size="large" prefix={<SafetyOutlined aria-hidden />} placeholder={loginText.codePlaceholder} />
          </Form.Item>
          <Button
            size="large"
            className={styles.sendCode ?? ''}
            loading={send.isPending}
            disabled={isDisabled || secondsLeft > 0}
            // What went wrong stands at the fields, or below the form.
            onClick={() => void requestCode().catch(() => undefined)}
          >
            {secondsLeft > 0 ? loginText.sendAgain(secondsLeft) : loginText.sendCode}
          </Button>
        </Space.Compact>
      </Form.Item>
      {send.isError && atFields.length === 0 && <FormError error={send.error} />}
    </>
  );
}
