import { Input, type InputRef } from 'antd';
import type { ComponentProps, Ref } from 'react';

type CodeInputProps = Omit<ComponentProps<typeof Input>, 'ref'> & { ref?: Ref<InputRef> };

/** A field for a six-digit code of a message or an app. The form normalises its value with `codeDigits`. */
export function CodeInput(props: CodeInputProps) {
  return <Input inputMode="numeric" autoComplete="one-time-code" spellCheck={false} {...props} />;
}
