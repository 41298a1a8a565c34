import { type ComponentProps, createContext, type FocusEvent, type KeyboardEvent, use } from 'react';

type Typing = {
  text: string;
  onType: (text: string) => void;
  /** True: the key has done its work here. */
  onKey: (event: KeyboardEvent) => boolean;
  onLeave: () => void;
};
/** What the field around a TypedInput does with what is typed. */
export const TypingContext = createContext<Typing | undefined>(undefined);

/**
 * Shows what was typed, a date or not: antd's own field takes a mistake away without a word. On a touch screen the keyboard
 * stays away, it would lie over the calendar.
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
