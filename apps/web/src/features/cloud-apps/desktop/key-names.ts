/** Keys that the user presses by a menu, by their `KeyboardEvent.code`. */
const functionKeys = ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12'] as const;

export type KeyName =
  | 'ControlLeft'
  | 'AltLeft'
  | 'ShiftLeft'
  | 'MetaLeft'
  | 'Delete'
  | 'Tab'
  | 'Escape'
  | 'Backspace'
  | 'Enter'
  | 'PrintScreen'
  | (typeof functionKeys)[number];

/** In the order of the menu. */
export const specialKeys: readonly { word: string; names: readonly KeyName[] }[] = [
  { word: 'Ctrl + Alt + Del', names: ['ControlLeft', 'AltLeft', 'Delete'] },
  { word: 'Win', names: ['MetaLeft'] },
  { word: 'Alt + Tab', names: ['AltLeft', 'Tab'] },
  { word: 'Ctrl + Esc', names: ['ControlLeft', 'Escape'] },
  { word: 'Alt + F4', names: ['AltLeft', 'F4'] },
  { word: 'Tab', names: ['Tab'] },
  { word: 'Esc', names: ['Escape'] },
  { word: 'Print Screen', names: ['PrintScreen'] },
  ...functionKeys.map((name) => ({ word: name, names: [name] })),
];
