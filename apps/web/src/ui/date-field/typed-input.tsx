import { type ComponentProps, createContext, type FocusEvent, type KeyboardEvent, use } from 'react';

type Typing = {
  text: string;
  onType: (text: string) => void;
  /** Returns true when it has handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
  onLeave: () => void;
};
/** The callbacks of the field around a TypedInput. */
export const TypingContext = createContext<Typing | undefined>(undefined);

/**
 * Keeps invalid text, which antd's own input would silently remove. On a touch screen it opens no keyboard, which would
 * cover the calendar.
 */
export function TypedInput({ onKeyDown, onBlur, ...given }: ComponentProps<'input'>) {
  const typing = use(TypingContext);
  if (!typing) throw new Error('TypedInput outside of DateField');
  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (!typing?.onKey(event)) onKeyDown?.(event);
  }
  function handleBlur(event: FocusEvent<HTMLInputElement>) {
    typing?.onLeave();
    onBlur?.(event);
  }
  return (
    <input
      {...given}
      inputMode="none"
      value={typing.text}
      onChange={(event) => typing.onType(event.target.value)}
      onKeyDown={handleKey}
      onBlur={handleBlur}
    />
  );
}
