import { useEffect, useState } from 'react';

const lookEveryMs = 500;
const dialogOrMenu = '[role="dialog"], [aria-haspopup][aria-expanded="true"]';
const typedInto =
  'textarea, select, [contenteditable="true"], input:not([type="button"], [type="checkbox"], [type="radio"], [type="submit"])';

/** Ant Design keeps a closed dialog in the document, inside an element that is not displayed. */
function isDisplayed(element: Element): boolean {
  return element.closest('[style*="display: none"]') === null;
}

/** Whether a dialog or menu is open, or a field has the focus. */
function isInUse(): boolean {
  if (document.activeElement?.matches(typedInto)) return true;
  return [...document.querySelectorAll(dialogOrMenu)].some(isDisplayed);
}

/** True from the first moment at which `isWanted` and nothing is in use, until it is not wanted any more. */
export function useQuietMoment(isWanted: boolean): boolean {
  const [isQuiet, setIsQuiet] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    const look = () => {
      if (isInUse()) return;
      clearInterval(timer);
      setIsQuiet(true);
    };
    const timer = setInterval(look, lookEveryMs);
    look();
    return () => {
      clearInterval(timer);
      setIsQuiet(false);
    };
  }, [isWanted]);
  return isWanted && isQuiet;
}
