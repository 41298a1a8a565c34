const singleKeysStorage = 'tongtu.single-keys';

/** Whether single letters do something. People who speak to their computer may switch it off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(singleKeysStorage) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  try {
    localStorage.setItem(singleKeysStorage, isOn ? 'on' : 'off');
  } catch {
    return; // without storage they stay on
  }
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

export const paletteKeyName = () => (isApple() ? '⌘K' : 'Ctrl K');

function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Whether a dialog is open, which has the keyboard to itself. */
function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal=true]') !== null;
}

/**
 * ⌘K, or Ctrl K. On a Mac Ctrl K deletes the rest of the line, and elsewhere a field may have its own use for it, so there
 * only ⌘K counts inside fields.
 */
export function isPaletteKey(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() !== 'k' || event.shiftKey || event.altKey || event.isComposing) return false;
  const isWanted = isApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return isWanted && (isApple() || !isInField(event.target)) && !isDialogOpen();
}

/** The single key that was pressed outside of fields, dialogs and menus; undefined for none. */
export function singleKeyOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return undefined;
  const isElsewhere = isInField(event.target) || isDialogOpen() || document.querySelector('[role=menu]') !== null;
  return isElsewhere || !hasSingleKeys() ? undefined : event.key.toLowerCase();
}
