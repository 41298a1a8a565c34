import { expect, test } from 'vitest';
import { encodeText } from '../text-encoding/text-encodings.ts';
import { bytesOfName, nameOfBytes, nameOfText, nameText } from './byte-names.ts';

const gbk = (text: string): Uint8Array => encodeText(text, 'gb18030') ?? new Uint8Array();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('each name is one text, which leads to exactly its bytes', () => {
  const names = [
    Buffer.from('我.txt'),
    gbk('我.txt'),
    Buffer.from('plain'),
    Buffer.from('\uef80 \uefff'),
    Buffer.from('a\ufffdb'),
    Buffer.from([0xff, 0xfe, 0x41]),
    Buffer.from([0x80]),
    Buffer.from('🙂 é'),
    ...Array.from({ length: 128 }, (_, index) => Buffer.from([0x61, 0x80 + index])),
  ];
  const texts = names.map((bytes) => nameOfBytes(bytes));
  expect(texts.map((text) => hex(bytesOfName(text)))).toEqual(names.map(hex));
  expect(new Set(texts).size).toBe(names.length);
  expect(texts.every((text) => text.isWellFormed() && !text.includes('\ufffd'))).toBe(true);
});

test.each([
  ['GBK', gbk('中文 €.txt'), 'auto', '中文 €.txt'],
  ['UTF-8', Buffer.from('中文 €.txt'), 'auto', '中文 €.txt'],
  ['the euro sign of Windows', Buffer.from([0x80]), 'auto', '€'],
  ['four bytes of GB18030', gbk('𠀀é'), 'auto', '𠀀é'],
  ['Big5', Buffer.from([0xa4, 0xa4, 0xa4, 0xe5]), 'big5', '中文'],
  ['UTF-8 on a disk with Big5', Buffer.from('中文'), 'big5', '中文'],
  ['UTF-8 on a disk with GBK', Buffer.from('中文'), 'gbk', '中文'],
  ['no text', Buffer.from([0x61, 0xff]), 'auto', 'a\\xFF'],
  ['GBK where UTF-8 is set', gbk('中'), 'utf-8', '\\xD6\\xD0'],
  ['U+FFFD itself', Buffer.from('\ufffd'), 'auto', '\ufffd'],
] as const)('a name in %s is shown as its text', (_what, bytes, encoding, shown) => {
  expect(nameText(nameOfBytes(bytes), encoding)).toBe(shown);
});

test('what is a character of GBK and a letter of UTF-8 is shown like the other names of its folder', () => {
  const name = nameOfBytes(gbk('一'));
  expect(nameText(name, 'auto')).toBe('һ');
  expect(nameText(name, 'auto', { isAmongLegacy: true })).toBe('一');
  expect(nameText(name, 'gbk')).toBe('一');
  expect(nameText(name, 'utf-8', { isAmongLegacy: true })).toBe('һ');
});

test('a name is written in the encoding that is set', () => {
  expect(hex(bytesOfName(nameOfText('我.txt', 'gbk') ?? ''))).toBe('ced22e747874');
  expect(hex(bytesOfName(nameOfText('我', 'utf-8') ?? ''))).toBe('e68891');
  expect(hex(bytesOfName(nameOfText('中文', 'big5') ?? ''))).toBe('a4a4a4e5');
  expect(nameOfText('🙂', 'big5')).toBeUndefined();
});
