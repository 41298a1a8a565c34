import { useLayoutEffect } from 'react';

/** Locks scrolling while wanted, and for `releaseDelayMs` longer, even after the component is unmounted. */
export function useScrollLock(isWanted: boolean, releaseDelayMs: number): void {
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    // Compensates for the missing scroll bar, so that nothing moves.
    const scrollbarPx = window.innerWidth - document.documentElement.clientWidth;
    const style = document.createElement('style');
    style.textContent = `html body { overflow-y: hidden; width: calc(100% - ${scrollbarPx}px); }`;
    document.head.append(style);
    return () => void setTimeout(() => style.remove(), releaseDelayMs);
  }, [isWanted, releaseDelayMs]);
}
