/**
 * Scan codes of the first set (MS-RDPBCGR 2.2.8.1.2.2.1), by `KeyboardEvent.code`. Extended ones begin with e0. The
 * target's own keyboard layout decides which character a key is.
 */
const rows: readonly (readonly [first: number, codes: string])[] = [
  [0x01, 'Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace'],
  [0x0f, 'Tab KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft'],
  [0x1e, 'KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash'],
  [0x2c, 'KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight NumpadMultiply AltLeft Space CapsLock'],
  [0x3b, 'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10'],
  [0x45, 'NumLock ScrollLock Numpad7 Numpad8 Numpad9 NumpadSubtract Numpad4 Numpad5 Numpad6 NumpadAdd'],
  [0x4f, 'Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal'],
  [0x56, 'IntlBackslash F11 F12'],
  [0x70, 'KanaMode'],
  [0x73, 'IntlRo'],
  [0x79, 'Convert'],
  [0x7b, 'NonConvert'],
  [0x7d, 'IntlYen'],
  [0xe0_1c, 'NumpadEnter ControlRight'],
  [0xe0_20, 'AudioVolumeMute'],
  [0xe0_2e, 'AudioVolumeDown'],
  [0xe0_30, 'AudioVolumeUp'],
  [0xe0_35, 'NumpadDivide'],
  [0xe0_37, 'PrintScreen AltRight'],
  [0xe0_47, 'Home ArrowUp PageUp'],
  [0xe0_4b, 'ArrowLeft'],
  [0xe0_4d, 'ArrowRight'],
  [0xe0_4f, 'End ArrowDown PageDown Insert Delete'],
  [0xe0_5b, 'MetaLeft MetaRight ContextMenu'],
];

const scancodes: ReadonlyMap<string, number> = new Map(
  rows.flatMap(([first, codes]) => codes.split(' ').map((code, index) => [code, first + index] as const)),
);

export function scancodeOf(code: string): number | undefined {
  return scancodes.get(code);
}
