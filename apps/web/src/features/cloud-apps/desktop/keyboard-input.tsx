import { type RefObject, useEffect, useEffectEvent } from 'react';
import { desktopText } from '../../../text/cloud-apps/desktop.ts';
import styles from './desktop.module.css';
import type { RemoteDesktop } from './remote-desktop.ts';

type KeyboardInputProps = {
  field: RefObject<HTMLTextAreaElement | null>;
  desktop: RefObject<RemoteDesktop | undefined>;
  onInput: () => void;
  onText: (text: string) => void;
};

/**
 * Of input that comes after `compositionend`, which has brought the text already: in Firefox, and in Safari. While
 * composing, both have `isComposing`.
 */
const composedTypes = ['insertCompositionText', 'insertFromComposition'];

/**
 * A text field that nobody sees, with the focus while the user types on the desktop: browsers offer input methods and
 * the keyboards of phones for text fields alone. Its text goes to the desktop and never stays.
 */
export function KeyboardInput({ field, desktop, onInput, onText }: KeyboardInputProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Keys of an input method, and of phones that do not say which one it is: their text follows as input.
    if (event.isComposing || event.key === 'Process' || event.key === 'Unidentified' || event.keyCode === 229) return;
    onInput();
    if (desktop.current?.handleKey(event)) event.preventDefault();
  });
  function sendInput({ inputType, data }: InputEvent) {
    onInput();
    if (inputType === 'deleteContentBackward') desktop.current?.pressKeys(['Backspace']);
    else if (inputType === 'insertLineBreak') desktop.current?.pressKeys(['Enter']);
    else if (data && !composedTypes.includes(inputType)) onText(data);
  }
  const onTyped = useEffectEvent((event: InputEvent) => {
    if (event.isComposing || !(event.target instanceof HTMLTextAreaElement)) return;
    sendInput(event);
    event.target.value = '';
  });
  const onComposed = useEffectEvent((event: CompositionEvent) => {
    onInput();
    onText(event.data);
    if (event.target instanceof HTMLTextAreaElement) event.target.value = '';
  });
  useEffect(() => {
    const element = field.current;
    if (!element) return undefined;
    // React's own `onInput` and `onCompositionEnd` have other types than the browser's.
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('keydown', (event) => onKey(event), { signal });
    element.addEventListener('keyup', (event) => onKey(event), { signal });
    element.addEventListener('input', (event) => event instanceof InputEvent && onTyped(event), { signal });
    element.addEventListener('compositionend', (event) => onComposed(event), { signal });
    element.addEventListener('blur', () => desktop.current?.releaseKeys(), { signal });
    return () => stop.abort();
  }, [field, desktop]);
  return (
    <textarea
      ref={field}
      className={styles.keyboard}
      aria-label={desktopText.keyboardInput}
      autoCapitalize="none"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
