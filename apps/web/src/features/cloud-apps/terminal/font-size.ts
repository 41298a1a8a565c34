const fontSizesPx = { smallest: 10, usual: 14, largest: 28 } as const;
const storageKey = 'tongtu.terminal-font-size';

function limited(sizePx: number): number {
  return Math.min(Math.max(Math.round(sizePx), fontSizesPx.smallest), fontSizesPx.largest);
}

/** What the user has chosen in this browser. */
export function readFontSize(): number {
  try {
    const stored = Number(localStorage.getItem(storageKey));
    return stored > 0 ? limited(stored) : fontSizesPx.usual;
  } catch {
    return fontSizesPx.usual; // storage may be forbidden; then a reload forgets the choice
  }
}

/** Stores the size, within the limits, and returns it. */
export function storeFontSize(sizePx: number): number {
  const size = limited(sizePx);
  try {
    localStorage.setItem(storageKey, String(size));
  } catch {
    return size; // see readFontSize
  }
  return size;
}
