import { Input, type InputProps, type InputRef } from 'antd';
import type { Ref } from 'react';

type DescribedInputProps = InputProps & { hintId: string; ref?: Ref<InputRef> };

/**
 * A text field that is described by a hint below a group of fields. antd only links a hint within the same form item.
 */
export function DescribedInput({ hintId, 'aria-describedby': given, ...input }: DescribedInputProps) {
  return <Input {...input} aria-describedby={given === undefined ? hintId : `${given} ${hintId}`} />;
}
