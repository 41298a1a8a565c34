import { Button, Form, Input } from 'antd';
import type { ConfirmMethod } from '@tongtu/contract';
import { MAX_PASSWORD_LENGTH, MAX_RECOVERY_CODE_LENGTH } from '@tongtu/contract/limits';
import { errorText, useProfile } from '../../api/index.ts';
import { confirmText } from '../../text/account/account.ts';
import { forgetFailure } from '../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { codeDigits } from '../../ui/fields/code-digits.ts';
import { CodeInput } from '../../ui/fields/code-input.tsx';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { CodeField, codeRules } from '../codes/code-field.tsx';
import { type CodeAttempt, useSendCode } from '../codes/use-send-code.ts';
import styles from './confirm.module.css';
import { Problem } from './problem.tsx';
import { totpErrorText } from './totp-error-text.ts';
import { type Proof, useSendProof, useSendProofCode } from './use-proof.ts';

type TypedMethod = Exclude<ConfirmMethod, 'passkey'>;
type Fields = { proof: string };

const hints: Record<TypedMethod, string | undefined> = {
  totp: confirmText.totpHint,
  recovery_code: confirmText.recoveryHint,
  password: undefined,
  sms: confirmText.smsHint,
};

function proofOf(method: TypedMethod, text: string): Proof {
  switch (method) {
    case 'totp':
      return { code: text };
    case 'recovery_code':
      return { recovery_code: text };
    case 'password':
      return { password: text };
    case 'sms':
      return { sms_code: text };
  }
}

/** A proof that the user types: a code or the password. */
export function TypedProof({ method, onConfirmed }: { method: TypedMethod; onConfirmed: () => void }) {
  const sendProof = useSendProof();
  const submit = useSubmit({
    send: ({ proof }: Fields) => sendProof.mutateAsync(proofOf(method, proof)),
    onFormDone: onConfirmed,
  });
  const hint = hints[method];
  return (
    <Form<Fields>
      name="confirm"
      layout="vertical"
      requiredMark={false}
      onFinish={(fields) => void submit(fields)}
      onValuesChange={() => forgetFailure(sendProof)}
    >
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <ProofField method={method} attempt={sendProof} />
      <Problem error={sendProof.error} textOf={method === 'totp' ? totpErrorText : errorText} />
      <Button type="primary" htmlType="submit" block loading={sendProof.isPending}>
        {confirmText.confirm}
      </Button>
    </Form>
  );
}

function ProofField({ method, attempt }: { method: TypedMethod; attempt: CodeAttempt }) {
  const label = confirmText.method[method];
  switch (method) {
    case 'totp':
      return (
        <Form.Item name="proof" label={label} rules={codeRules} normalize={codeDigits}>
          <CodeInput autoFocus />
        </Form.Item>
      );
    case 'recovery_code':
      return (
        <Form.Item name="proof" label={label} rules={[{ required: true, message: confirmText.recoveryRequired }]}>
          <Input autoFocus autoComplete="off" spellCheck={false} maxLength={MAX_RECOVERY_CODE_LENGTH} />
        </Form.Item>
      );
    case 'password':
      return <PasswordProof label={label} />;
    case 'sms':
      return <SmsProof label={label} attempt={attempt} />;
  }
}

function PasswordProof({ label }: { label: string }) {
  const profile = useProfile();
  return (
    <>
      {/* Lets password managers know the account of this password. */}
      <input type="text" name="username" autoComplete="username" value={profile?.username ?? ''} readOnly hidden />
      <Form.Item name="proof" label={label} rules={[{ required: true, message: confirmText.passwordRequired }]}>
        <Input.Password autoFocus autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
      </Form.Item>
    </>
  );
}

function SmsProof({ label, attempt }: { label: string; attempt: CodeAttempt }) {
  const sending = useSendCode('sms-confirm', attempt, useCaptcha('sms'));
  const sendCode = useSendProofCode();
  return <CodeField name="proof" label={label} sending={sending} onSend={() => sending.send(sendCode)} />;
}
