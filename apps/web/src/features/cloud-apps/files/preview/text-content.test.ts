import { encodeText, type TextEncoding } from '@tongtu/contract/text-encodings';
import { expect, test } from 'vitest';
import { bytesToSave, readText, textToSave } from './text-content.ts';

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

const bytesIn = (text: string, encoding: TextEncoding) => encodeText(text, encoding) ?? new Uint8Array();

test.each([
  ['gb18030', '你好，世界\r\n𠀀🙂'],
  ['gbk', '价格：5 €\r\n'],
  ['utf-16le', '\uFEFF你好\r\n'],
  ['utf-16be', '\uFEFF你好\n'],
  ['utf-8', '\uFEFF你好\n'],
] as const)('a text in %s is read, and saved in the same encoding', (encoding, written) => {
  const bytes = bytesIn(written, encoding);
  const content = readText(bytes);
  expect(content).toMatchObject({ encoding, canBeWritten: true });
  expect(content && [...(bytesToSave(content.text, content) ?? [])]).toEqual([...bytes]);
  const edited = content && bytesToSave(`${content.text}改`, content);
  expect(edited && readText(edited)?.text).toBe(`${content?.text}改`);
});

test('Big5 is read where the user says so, and refuses what it lacks', () => {
  const bytes = bytesIn('繁體中文', 'big5');
  const content = readText(bytes, 'big5');
  expect(content).toMatchObject({ text: '繁體中文', encoding: 'big5' });
  expect(content && bytesToSave('简体们🙂', content)).toBeUndefined();
});

test('what would be written otherwise than it was read is only shown', () => {
  // The euro sign as Windows writes it, and as GB18030 does.
  expect(readText(Uint8Array.of(0x80, 0xa2, 0xe3))).toMatchObject({ text: '€€', canBeWritten: false });
});

test('what has a NUL, or fits no encoding, is no text', () => {
  expect(readText(Uint8Array.of(65, 0, 66))).toBeUndefined();
  expect(readText(Uint8Array.of(0xff, 0xff, 0xff))).toBeUndefined();
});
