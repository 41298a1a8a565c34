import { Button, Form, Input, Space } from 'antd';
import type { Rule } from 'antd/es/form';
import { useId } from 'react';
import { codeText, confirmText } from '../../text/account.ts';
import type { CodeSending } from './use-send-code.ts';

const codeLength = 6;

export const codeRules: Rule[] = [
  { required: true, pattern: /^\s*\d{6}\s*$/, message: confirmText.codeRequired, validateTrigger: 'onSubmit' },
];

type CodeInputProps = { id?: string; value?: string; onChange?: (value: string) => void; autoFocus?: boolean };

/** Six digits, pasted with spaces or typed; phones offer the code of the message that has just come. */
export function CodeInput({ onChange, ...rest }: CodeInputProps) {
  return (
    <Input
      {...rest}
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      onChange={(event) => onChange?.(event.target.value.replace(/\D/g, '').slice(0, codeLength))}
    />
  );
}

type CodeFieldProps = { name: string; label?: string; sending: CodeSending; onSend: () => void };

/** A form's field for a code, with the button that sends it. */
export function CodeField({ name, label = codeText.code, sending, onSend }: CodeFieldProps) {
  const inputId = useId();
  return (
    <Form.Item
      label={label}
      htmlFor={inputId}
      required
      {...(sending.problem === undefined ? {} : { validateStatus: 'error', help: sending.problem })}
      {...(sending.notice === undefined ? {} : { extra: sending.notice })}
    >
      <Space.Compact block>
        <Form.Item name={name} noStyle rules={codeRules}>
          <CodeInput id={inputId} />
        </Form.Item>
        <Button onClick={onSend} loading={sending.isSending} disabled={sending.waitSeconds > 0}>
          {sending.waitSeconds > 0 ? codeText.resendIn(sending.waitSeconds) : codeText.send}
        </Button>
      </Space.Compact>
    </Form.Item>
  );
}
