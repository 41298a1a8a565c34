import { expect, test } from 'vitest';
import { specialKeys } from './key-names.ts';
import { keysymOfCharacter, keysyms } from './keysyms.ts';
import { scancodeOf } from './scancodes.ts';

// Samples from the end of each row of the table: a row with a missing key would shift them.
test.each([
  ['Backspace', 0x0e],
  ['ControlLeft', 0x1d],
  ['KeyA', 0x1e],
  ['Backslash', 0x2b],
  ['ShiftRight', 0x36],
  ['CapsLock', 0x3a],
  ['F10', 0x44],
  ['NumpadAdd', 0x4e],
  ['NumpadDecimal', 0x53],
  ['F12', 0x58],
  ['ControlRight', 0xe0_1d],
  ['AltRight', 0xe0_38],
  ['PageUp', 0xe0_49],
  ['Delete', 0xe0_53],
  ['ContextMenu', 0xe0_5d],
])('the scan code of %s', (code, scancode) => {
  expect(scancodeOf(code)).toBe(scancode);
});

test('keys without a scan code stay with the browser', () => {
  expect(scancodeOf('LaunchMail')).toBeUndefined();
});

test('each key of the menu can be sent by both protocols', () => {
  for (const name of specialKeys.flatMap(({ names }) => names)) {
    expect(scancodeOf(name)).toBeDefined();
    expect(keysyms[name]).toBeGreaterThan(0xfe_00);
  }
});

test.each([
  ['a', 0x61],
  ['é', 0xe9],
  ['你', 0x01_00_4f_60],
  ['😀', 0x01_01_f6_00],
  ['\n', 0xff0d],
  ['\t', 0xff09],
])('the keysym of %j', (character, keysym) => {
  expect(keysymOfCharacter(character)).toBe(keysym);
});
