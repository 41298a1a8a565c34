import { useEffect, useRef } from 'react';

/**
 * Attributes of an element in a dialog that takes the focus when the focused element is removed. Otherwise the keyboard
 * would act on the screen behind the dialog.
 */
export function useFocusFallback() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  });
  return { ref, tabIndex: -1, style: { outline: 'none' } };
}
