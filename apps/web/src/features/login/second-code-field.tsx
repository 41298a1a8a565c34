import { Button, Form, Input } from 'antd';
import { MAX_RECOVERY_CODE_LENGTH } from '@tongtu/contract/limits';
import { secondStepText } from '../../text/second-step.ts';
import { CodeInput, codeDigits, completeCode } from '../../ui/code-input.tsx';
import type { SecondProof } from './use-login.ts';

type SecondCodeFieldProps = {
  method: 'totp' | 'recovery_code';
  isBusy: boolean;
  onProof: (proof: SecondProof) => void;
};
type Fields = { code: string };

/** A code of an app, sent as soon as it is complete, or a recovery code. */
export function SecondCodeField({ method, isBusy, onProof }: SecondCodeFieldProps) {
  const [form] = Form.useForm<Fields>();
  const isTotp = method === 'totp';
  return (
    <Form<Fields>
      form={form}
      name="second-step"
      layout="vertical"
      requiredMark={false}
      disabled={isBusy}
      onFinish={({ code }) => onProof(isTotp ? { code } : { recovery_code: code.trim() })}
      onValuesChange={({ code }) => {
        if (isTotp && code !== undefined && completeCode.test(code)) form.submit();
      }}
    >
      <Form.Item
        name="code"
        label={isTotp ? secondStepText.code : secondStepText.recoveryCode}
        {...(isTotp ? { normalize: codeDigits } : {})}
        validateTrigger="onSubmit"
        rules={
          isTotp
            ? [{ required: true, pattern: completeCode, message: secondStepText.codeRequired }]
            : [{ required: true, whitespace: true, message: secondStepText.recoveryRequired }]
        }
      >
        {isTotp ? (
          <CodeInput autoFocus size="large" />
        ) : (
          <Input
            autoFocus
            size="large"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MAX_RECOVERY_CODE_LENGTH}
          />
        )}
      </Form.Item>
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {secondStepText.submit}
      </Button>
    </Form>
  );
}
