import { useCallback, useSyncExternalStore } from 'react';

/** Chromium's Keyboard Lock: without it Escape leaves the full screen instead of reaching the app. */
type LockableKeyboard = { lock?: (keys: string[]) => Promise<void>; unlock?: () => void };

function keyboardOf(): LockableKeyboard | undefined {
  return 'keyboard' in navigator ? (navigator.keyboard as LockableKeyboard) : undefined; // not in TypeScript's types
}

async function enter(): Promise<void> {
  // The whole document, because dialogs and messages lie outside of the app's own element.
  await document.documentElement.requestFullscreen();
  await keyboardOf()?.lock?.(['Escape']);
}

async function leave(): Promise<void> {
  keyboardOf()?.unlock?.();
  await document.exitFullscreen();
}

/** The page in full screen. iPhones do not allow it. */
export function useFullScreen() {
  const isOn = useSyncExternalStore(
    (onChange) => {
      document.addEventListener('fullscreenchange', onChange);
      return () => document.removeEventListener('fullscreenchange', onChange);
    },
    () => Boolean(document.fullscreenElement),
  );
  // A refusal by the browser leaves the page as it is, which the user sees.
  const toggle = useCallback(() => void (isOn ? leave() : enter()).catch(() => undefined), [isOn]);
  return { isOn, isPossible: document.fullscreenEnabled === true, toggle };
}
