import { Button, Form, type InputRef, Space } from 'antd';
import type { Rule } from 'antd/es/form';
import { useId, useRef } from 'react';
import { errorText } from '../../api/index.ts';
import { codeText, confirmText } from '../../text/account/account.ts';
import { codeDigits, completeCode } from '../../ui/fields/code-digits.ts';
import { CodeInput } from '../../ui/fields/code-input.tsx';
import type { CodeSending } from './use-send-code.ts';

export const codeRules: Rule[] = [
  { required: true, pattern: completeCode, message: confirmText.codeRequired, validateTrigger: 'onSubmit' },
];

type CodeFieldProps = {
  name: string;
  label?: string;
  sending: CodeSending;
  /** Resolves to true when the code was sent. */
  onSend: () => Promise<boolean>;
};

/** A form field for a code, with the button that sends it. */
export function CodeField({ name, label = codeText.code, sending, onSend }: CodeFieldProps) {
  const inputId = useId();
  const input = useRef<InputRef>(null);

  /** The button is disabled then, so the focus would be lost to the page behind the dialog. */
  async function send() {
    if (await onSend()) input.current?.focus();
  }
  return (
    <Form.Item
      label={label}
      htmlFor={inputId}
      {...(sending.error === undefined ? {} : { validateStatus: 'error', help: errorText(sending.error) })}
      {...(sending.notice === undefined ? {} : { extra: sending.notice })}
    >
      <Space.Compact block>
        <Form.Item name={name} noStyle rules={codeRules} normalize={codeDigits}>
          <CodeInput ref={input} id={inputId} />
        </Form.Item>
        <Button onClick={() => void send()} loading={sending.isSending} disabled={sending.waitSeconds > 0}>
          {sending.waitSeconds > 0 ? codeText.resendIn(sending.waitSeconds) : codeText.send}
        </Button>
      </Space.Compact>
    </Form.Item>
  );
}
