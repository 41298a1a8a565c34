import { type RefObject, useLayoutEffect } from 'react';

const gapPx = 4;
const marginPx = 8;

/**
 * Below the button, or above it, with their right edges in line. Where it fits neither way it lies beside the button, as
 * high as the window: a phone shows no scroll bar, so nobody would look for items that are cut off.
 */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  menu.style.maxHeight = `${clientHeight - 2 * marginPx}px`;
  const { offsetWidth: width, offsetHeight: height } = menu;
  const fitsBelow = bottom + gapPx + height <= clientHeight - marginPx;
  const fitsAbove = top - gapPx - height >= marginPx;
  const [end, otherStart] = fitsBelow || fitsAbove ? [right, left] : [left - gapPx, right + gapPx];
  const start = end - width >= marginPx ? end - width : otherStart;
  function findTop(): number {
    if (fitsBelow) return bottom + gapPx;
    if (fitsAbove) return top - gapPx - height;
    return Math.max(marginPx, Math.min(top, clientHeight - height - marginPx));
  }
  menu.style.left = `${Math.max(marginPx, Math.min(start, clientWidth - width - marginPx))}px`;
  menu.style.top = `${findTop()}px`;
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
