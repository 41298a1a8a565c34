import { useEffect, useEffectEvent } from 'react';

/** Calls `focusSearch` when `/` is pressed outside of fields and dialogs. */
export function useSlashKey(focusSearch: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '/' || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    const isElsewhere =
      target instanceof Element && target.closest('input, textarea, [contenteditable], [role=dialog]');
    if (isElsewhere || document.querySelector('[aria-modal=true]') !== null) return;
    event.preventDefault();
    focusSearch();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
