import { Button, Form } from 'antd';
import { useEffect } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { loginText } from '../../../text/login.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { fieldMessages } from '../field-messages.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import type { SignInMethodProps } from '../sign-in-methods.ts';
import { PhoneCodeFields, phoneCodeErrors, type PhoneCodeValues } from './phone-code-fields.tsx';
import { completeNumber } from './phone-number.ts';
import { TermsField } from '../terms-field.tsx';
import { usePhoneLogin } from '../use-login.ts';

type Fields = PhoneCodeValues & { accepted_terms: true };
const names = ['phone', 'code', 'accepted_terms'] as const;

/** Logs in with a code. A number without an account gets one. */
export function PhoneForm({ aff, onReply }: SignInMethodProps) {
  const [form] = Form.useForm<Fields>();
  const registration = useSiteConfig()?.registration;
  const login = usePhoneLogin((reply) => onReply('phone', reply));
  const atFields = fieldMessages(login.error, phoneCodeErrors, names);

  useEffect(() => {
    form.setFields(fieldMessages(login.error, phoneCodeErrors, names));
  }, [form, login.error]);

  const submit = useSubmit({
    send: ({ region, phone, code }: Fields) =>
      login.mutateAsync({ phone: completeNumber(region, phone) ?? phone, code, accepted_terms: true, aff }),
  });

  const isBusy = login.isPending || login.isSuccess;
  return (
    <Form<Fields>
      form={form}
      name="phone-login"
      layout="vertical"
      requiredMark={false}
      onFinish={(fields) => void submit(fields)}
      disabled={isBusy}
    >
      <PhoneCodeFields form={form} id="phone-login" purpose="login" isDisabled={isBusy} attempt={login} />
      <TermsField form={form} />
      {login.isError && atFields.length === 0 && <FormError error={login.error} />}
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {registration === 'open' ? loginText.phoneSubmit : loginText.submit}
      </Button>
      {registration && <p className={styles.hint}>{loginText.phoneHints[registration]}</p>}
    </Form>
  );
}
