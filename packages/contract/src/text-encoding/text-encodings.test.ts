import { expect, test } from 'vitest';
import { decodeText, encodeLossy, encodeText } from './text-encodings.ts';

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

// As Python writes them.
test.each([
  ['gb18030', '你好 €', 'c4e3bac320a2e3'],
  ['gbk', '€', '80'],
  ['gb18030', '𠀀🙂é', '9532823695308532a8a6'],
  ['gb18030', '\u0080\uffff\u{10ffff}', '813081308431a439e3329a35'],
  ['big5', '中文碁', 'a4a4a4e5f9d6'],
  ['utf-16le', '中\u{1f600}', '2d4e3dd800de'],
  ['utf-16be', '中', '4e2d'],
] as const)('%s writes %j as others do', (encoding, text, written) => {
  expect(hex(encodeText(text, encoding))).toBe(written);
});

test('every character of GB18030 is read again as it was written', () => {
  let all = '';
  for (let point = 0; point <= 0x10_ffff; point += point < 0x1_0000 ? 1 : 4_001)
    if (point < 0xd800 || point > 0xdfff) all += String.fromCodePoint(point);
  // Ten ideographic description and vertical signs have no code of their own in the decoder of ICU.
  const writable = [...all].filter((character) => encodeText(character, 'gb18030') !== undefined);
  expect([...all].length - writable.length).toBeLessThan(30);
  const bytes = encodeText(writable.join(''), 'gb18030') ?? new Uint8Array();
  expect(decodeText(bytes, 'gb18030') === writable.join('')).toBe(true);
});

test('what an encoding lacks is not written, or as a question mark where that is asked for', () => {
  expect(encodeText('們们🙂', 'big5')).toBeUndefined();
  expect(hex(encodeLossy('們🙂', 'big5'))).toBe('adcc3f');
});
