import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths, withQuery } from '../../routing/paths.ts';
import { isPaletteKey, singleKeyOf } from './shortcut-keys.ts';

export type Shown = 'palette' | 'shortcuts';

/** After G, another key within this time goes to a screen. */
const sequenceMs = 1_500;

const screens = new Map<string, string>([
  ['d', withQuery(paths.devices, { view: 'manage' })],
  ['l', withQuery(paths.devices, { view: 'launcher' })],
  ['r', paths.records],
  ['u', paths.userInfo],
]);

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[role=search] input:not([type=radio])');
  field?.focus();
  field?.select();
  return field !== null;
}

/** The keys that work on every screen of the console. */
export function useShortcuts(onShow: (shown: Shown) => void): void {
  const navigate = useNavigate();
  const startedMs = useRef(-Infinity);

  function act(key: string, atMs: number): boolean {
    const isSecond = atMs - startedMs.current < sequenceMs;
    startedMs.current = key === 'g' ? atMs : -Infinity;
    const screen = isSecond ? screens.get(key) : undefined;
    if (screen !== undefined) {
      void navigate(screen);
      return true;
    }
    switch (key) {
      case '?':
        onShow('shortcuts');
        return true;
      case '/':
        return focusSearch();
      case 'a':
        void navigate(withQuery(paths.devices, { view: 'manage', add: '1' }));
        return true;
      default:
        return false;
    }
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const key = singleKeyOf(event);
    const isPalette = isPaletteKey(event);
    if (isPalette) onShow('palette');
    if (isPalette || (key !== undefined && act(key, event.timeStamp))) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
