import { useEffect, useRef } from 'react';

/** Focuses the element when it appears. The attribute of this purpose does nothing on what is added later. */
export function useFirstFocus<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
