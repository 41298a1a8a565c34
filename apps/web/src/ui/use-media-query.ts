import { useMemo, useSyncExternalStore } from 'react';

/** Whether the media query matches, updated on change. */
export function useMediaQuery(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), [query]);
  return useSyncExternalStore(
    (onChange) => {
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => list.matches,
  );
}

/** The login's columns stand below each other. */
export const narrowQuery = '(max-width: 879.98px)';

export function isNarrowWindow(): boolean {
  return window.matchMedia(narrowQuery).matches;
}
