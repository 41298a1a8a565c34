import { type RefObject, useLayoutEffect } from 'react';

const gapPx = 4;
const marginPx = 8;

/** Below the button, or above it where there is more room, with their right edges in line. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - bottom - gapPx - marginPx;
  const above = top - gapPx - marginPx;
  const isBelow = menu.offsetHeight <= below || below >= above;
  const start = right - menu.offsetWidth >= marginPx ? right - menu.offsetWidth : left;
  const limit = clientWidth - menu.offsetWidth - marginPx;
  Object.assign(menu.style, {
    left: `${Math.max(marginPx, Math.min(start, limit))}px`,
    top: isBelow ? `${bottom + gapPx}px` : 'auto',
    bottom: isBelow ? 'auto' : `${clientHeight - top + gapPx}px`,
    maxHeight: `${isBelow ? below : above}px`,
  });
}

/** Shows the menu at its button, and keeps it there while the page is scrolled. */
export function useMenuPlace(menuRef: RefObject<HTMLElement | null>, buttonRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [menu, button] = [menuRef.current, buttonRef.current];
    if (!menu || !button) return undefined;
    // Browsers without popovers show it at its place in the document, which differs only below other layers.
    menu.showPopover?.();
    place(menu, button);
    const follow = (event: Event) => {
      if (event.target !== menu) place(menu, button);
    };
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow, { capture: true });
      window.removeEventListener('resize', follow);
    };
  }, [menuRef, buttonRef]);
}
