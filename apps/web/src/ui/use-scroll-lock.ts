import { useLayoutEffect } from 'react';

/** Keeps the page from scrolling while wanted, and for `releaseDelayMs` after that, also when the component is gone. */
export function useScrollLock(isWanted: boolean, releaseDelayMs: number): void {
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    // As wide as before without the scroll bar, so that nothing moves.
    const scrollbarPx = window.innerWidth - document.documentElement.clientWidth;
    const style = document.createElement('style');
    style.textContent = `html body { overflow-y: hidden; width: calc(100% - ${scrollbarPx}px); }`;
    document.head.append(style);
    return () => void setTimeout(() => style.remove(), releaseDelayMs);
  }, [isWanted, releaseDelayMs]);
}
