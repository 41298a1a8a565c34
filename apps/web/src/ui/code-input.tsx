import { Input, type InputRef } from 'antd';
import type { ComponentProps, Ref } from 'react';

const codeLength = 6;

/** The digits of a typed or pasted text such as "123 456". */
export function codeDigits(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, codeLength);
}

export const completeCode = new RegExp(String.raw`^\d{${codeLength}}$`);

type CodeInputProps = Omit<ComponentProps<typeof Input>, 'ref'> & { ref?: Ref<InputRef> };

/** A field for a six-digit code of a message or an app. The form normalises its value with `codeDigits`. */
export function CodeInput(props: CodeInputProps) {
  return <Input inputMode="numeric" autoComplete="one-time-code" spellCheck={false} {...props} />;
}
