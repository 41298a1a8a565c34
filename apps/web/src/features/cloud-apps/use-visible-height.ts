import { useSyncExternalStore } from 'react';

/**
 * The height that the keyboard of a phone leaves, as a style. The browser's own units do not count the keyboard, so the
 * last lines of the screen would lie behind it.
 */
export function useVisibleHeight(): { height: string } | undefined {
  const heightPx = useSyncExternalStore(
    (onChange) => {
      window.visualViewport?.addEventListener('resize', onChange);
      return () => window.visualViewport?.removeEventListener('resize', onChange);
    },
    () => window.visualViewport?.height,
  );
  return heightPx === undefined ? undefined : { height: `${Math.floor(heightPx)}px` };
}
