import type { ChangeEvent } from 'react';

/** Whether the text was pasted, and not typed. */
export function isPasted({ nativeEvent }: ChangeEvent<HTMLInputElement>): boolean {
  return 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste';
}
