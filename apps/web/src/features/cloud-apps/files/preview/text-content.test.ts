import { expect, test } from 'vitest';
import { readText, textToSave } from './text-content.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  ['Unix', '一\n二\n'],
  ['Windows', '一\r\n二\r\n'],
  ['a byte order mark', '\uFEFF一\r\n二'],
  ['one line', '一'],
  ['nothing', ''],
])('a text with the line ends of %s is saved as it was read', (_what, written) => {
  const content = readText(bytesOf(written));
  expect(content?.hasMixedLineEnds).toBe(false);
  expect(content?.text).not.toMatch(/[\r\uFEFF]/);
  expect(content && textToSave(content.text, content)).toBe(written);
});

test('mixed line ends become those that are more frequent, and this is said', () => {
  const content = readText(bytesOf('1\r\n2\r\n3\n'));
  expect(content?.hasMixedLineEnds).toBe(true);
  expect(content && textToSave(content.text, content)).toBe('1\r\n2\r\n3\r\n');
});

test('GBK is shown but not taken for UTF-8', () => {
  expect(readText(Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3))).toMatchObject({ text: '你好', isUtf8: false });
});

test('what has a NUL, or fits no encoding, is no text', () => {
  expect(readText(Uint8Array.of(65, 0, 66))).toBeUndefined();
  expect(readText(Uint8Array.of(0xff, 0xff, 0xff))).toBeUndefined();
});
