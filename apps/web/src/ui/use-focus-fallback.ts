import { useEffect, useRef } from 'react';

/**
 * Attributes of an element in a dialog that gets the focus when what had it is gone; else the keyboard would work on the
 * page below.
 */
export function useFocusFallback() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  });
  return { ref, tabIndex: -1, style: { outline: 'none' } };
}
