import { type RefObject, useLayoutEffect } from 'react';

const gapPx = 4;
const marginPx = 8;

/** Shows the menu below its button, or above it where there is more room, with their right edges in line. */
export function useMenuPlace(menu: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element || !button.current) return;
    // Browsers without popovers show it at its place in the document, which differs only below other layers.
    element.showPopover?.();
    const { left, right, top, bottom } = button.current.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const below = clientHeight - bottom - gapPx - marginPx;
    const above = top - gapPx - marginPx;
    const isBelow = element.offsetHeight <= below || below >= above;
    const start = right - element.offsetWidth >= marginPx ? right - element.offsetWidth : left;
    const limit = clientWidth - element.offsetWidth - marginPx;
    Object.assign(element.style, {
      left: `${Math.max(marginPx, Math.min(start, limit))}px`,
      top: isBelow ? `${bottom + gapPx}px` : 'auto',
      bottom: isBelow ? 'auto' : `${clientHeight - top + gapPx}px`,
      maxHeight: `${isBelow ? below : above}px`,
    });
  }, [menu, button]);
}
