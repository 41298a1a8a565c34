/** The control character of a typed letter: Ctrl+C is 3. Undefined for characters without one. */
function controlOf(letter: string): string | undefined {
  if (letter === ' ') return '\u0000';
  const code = letter.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : undefined;
}

export type Modifiers = { ctrl: boolean; alt: boolean };
export const noModifiers: Modifiers = { ctrl: false, alt: false };

/** Typed text with the modifiers of the touch bar. They apply to a single key. */
export function withModifiers(text: string, { ctrl, alt }: Modifiers): string {
  if ([...text].length !== 1) return text;
  const typed = (ctrl ? controlOf(text) : undefined) ?? text;
  return alt ? `\u001B${typed}` : typed;
}

const cursorLetters = { up: 'A', down: 'B', right: 'C', left: 'D' } as const;
export type CursorKey = keyof typeof cursorLetters;

/** A cursor key as xterm encodes it (xterm, "PC-Style Function Keys"). */
export function cursorKey(key: CursorKey, { ctrl, alt }: Modifiers, hasApplicationKeys: boolean): string {
  const letter = cursorLetters[key];
  const modifier = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  if (modifier > 1) return `\u001B[1;${modifier}${letter}`;
  return hasApplicationKeys ? `\u001BO${letter}` : `\u001B[${letter}`;
}
