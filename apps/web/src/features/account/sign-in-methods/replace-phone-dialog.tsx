import type { RequestBody } from '@tongtu/contract';
import { Form, Input, Radio } from 'antd';
import { MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { useState } from 'react';
import { errorText, useApi, useSiteConfig } from '../../../api/index.ts';
import { phoneText } from '../../../text/account/users.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useCaptcha } from '../../captcha/use-captcha.tsx';
import { CodeField } from '../../codes/code-field.tsx';
import { type CodeAttempt, useSendCode } from '../../codes/use-send-code.ts';
import { Problem } from '../../confirm/problem.tsx';
import { PhoneCodeFields } from '../../login/phone/phone-code-fields.tsx';
import { usePhoneCode } from '../../login/phone/use-phone-code.ts';
import { useReplacePhone } from '../use-user-info.ts';
import styles from '../account.module.css';

const formId = 'replace-phone';

/** The fields of the proof; `PhoneCodeFields` has the others. */
type Fields = { old_code?: string; password?: string };
type ProofKind = keyof typeof phoneText.proofs;

type ReplacePhoneDialogProps = { hasPassword: boolean; onClose: () => void };

/** Replaces the number. The user proves the change by a code to the old number or by the password. */
export function ReplacePhoneDialog({ hasPassword, onClose }: ReplacePhoneDialogProps) {
  const [form] = Form.useForm<Fields>();
  const [kind, setKind] = useState<ProofKind>('code');
  const toast = useToast();
  const replace = useReplacePhone();
  const { call } = useApi();
  const captcha = useCaptcha('sms');
  const regions = useSiteConfig()?.phone_regions;
  const phone = usePhoneCode({ call, captcha, purpose: 'rebind', regions, attempt: replace });
  const send = useSubmit({
    send: (body: RequestBody<'POST /api/verify/phone/rebind/'>) => replace.mutateAsync(body),
    onSuccess: () => toast.success(phoneText.replaced),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  function submit({ old_code: oldCode, password }: Fields) {
    const typed = phone.check();
    if (typed) void send({ ...typed, ...(kind === 'code' ? { old_code: oldCode } : { password }) });
  }
  return (
    <Dialog
      title={phoneText.replaceTitle}
      okText={phoneText.replace}
      confirmLoading={replace.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name={formId}
        layout="vertical"
        requiredMark={false}
        onFinish={submit}
        // Both halves of the form say what they miss.
        onFinishFailed={() => void phone.check()}
        onInput={() => forgetFailure(replace)}
        className={styles.form ?? ''}
      >
        {hasPassword && <ProofChoice kind={kind} onChange={setKind} />}
        {kind === 'code' ? <OldCode attempt={replace} /> : <Password />}
        <PhoneCodeFields phone={phone} label={phoneText.newPhone} isDisabled={replace.isPending} />
        <SubmitOnEnter />
      </Form>
      <Problem error={phone.failure} />
    </Dialog>
  );
}

function ProofChoice({ kind, onChange }: { kind: ProofKind; onChange: (kind: ProofKind) => void }) {
  const { code, password } = phoneText.proofs;
  return (
    <Form.Item label={phoneText.proof}>
      <Radio.Group
        value={kind}
        options={[
          { value: 'code', label: code },
          { value: 'password', label: password },
        ]}
        onChange={(event) => onChange(event.target.value)}
      />
    </Form.Item>
  );
}

function OldCode({ attempt }: { attempt: CodeAttempt }) {
  const { call } = useApi();
  const sending = useSendCode('sms-rebind-old', attempt, useCaptcha('sms'));
  return (
    <CodeField
      name="old_code"
      label={phoneText.oldCode}
      sending={sending}
      onSend={() =>
        sending.send((ticket) => call('POST /api/verify/sms/send/', { body: { purpose: 'rebind_old', ...ticket } }))
      }
    />
  );
}

function Password() {
  return (
    <Form.Item
      name="password"
      label={phoneText.password}
      rules={[{ required: true, message: phoneText.passwordRequired }]}
    >
      <Input.Password autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
    </Form.Item>
  );
}
