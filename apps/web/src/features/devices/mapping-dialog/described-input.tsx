import { Input, type InputProps, type InputRef } from 'antd';
import type { Ref } from 'react';

type DescribedInputProps = InputProps & { hintId: string; ref?: Ref<InputRef> };

/** A text field whose hint stands below a group of fields; antd describes a field only by what belongs to it alone. */
export function DescribedInput({ hintId, 'aria-describedby': given, ...input }: DescribedInputProps) {
  return <Input {...input} aria-describedby={given === undefined ? hintId : `${given} ${hintId}`} />;
}
