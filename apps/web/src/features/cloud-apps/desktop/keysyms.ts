import type { KeyName } from './key-names.ts';

/** X11's keysymdef.h */
export const keysyms: Record<KeyName, number> = {
  ControlLeft: 0xffe3,
  AltLeft: 0xffe9,
  ShiftLeft: 0xffe1,
  MetaLeft: 0xffeb,
  Delete: 0xffff,
  Tab: 0xff09,
  Escape: 0xff1b,
  Backspace: 0xff08,
  Enter: 0xff0d,
  PrintScreen: 0xff61,
  F1: 0xffbe,
  F2: 0xffbf,
  F3: 0xffc0,
  F4: 0xffc1,
  F5: 0xffc2,
  F6: 0xffc3,
  F7: 0xffc4,
  F8: 0xffc5,
  F9: 0xffc6,
  F10: 0xffc7,
  F11: 0xffc8,
  F12: 0xffc9,
};

/** Latin-1 is the same in both, what lies above has its code point after a mark. Line breaks and tabs are keys. */
export function keysymOfCharacter(character: string): number {
  if (character === '\n' || character === '\r') return keysyms.Enter;
  if (character === '\t') return keysyms.Tab;
  const code = character.codePointAt(0) ?? 0;
  return code < 0x1_00 ? code : 0x1_00_00_00 | code;
}
