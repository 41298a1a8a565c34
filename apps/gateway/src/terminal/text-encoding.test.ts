import { expect, test } from 'vitest';
import { createTextEncoding } from './text-encoding.ts';

test('UTF-8 goes through as it is', () => {
  const { toUtf8, fromUtf8 } = createTextEncoding('utf-8');
  const bytes = Buffer.from([0xff, 0xe4, 0xbd]);
  expect(toUtf8(bytes)).toEqual(bytes);
  expect(fromUtf8(bytes)).toEqual(bytes);
});

test('GBK is read and written, also when a character comes in two pieces', () => {
  const { toUtf8, fromUtf8 } = createTextEncoding('gbk');
  const gbk = Buffer.from([0xcd, 0xa8, 0xcd, 0xbe, 0x0d, 0x0a]);
  const read = [toUtf8(gbk.subarray(0, 3)), toUtf8(gbk.subarray(3))];
  expect(Buffer.concat(read).toString()).toBe('通途\r\n');
  const utf8 = Buffer.from('通途\r\n');
  expect(Buffer.concat([fromUtf8(utf8.subarray(0, 4)), fromUtf8(utf8.subarray(4))])).toEqual(gbk);
});

test('what GBK lacks becomes a question mark', () => {
  expect(createTextEncoding('gbk').fromUtf8(Buffer.from('a😀é路')).toString('latin1')).toBe('a?\xa8\xa6\xc2\xb7');
});

test('every character of GBK comes back as it was', () => {
  const decoder = new TextDecoder('gbk');
  const { fromUtf8 } = createTextEncoding('gbk');
  const characters = new Set<string>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (text.length === 1) characters.add(text);
    }
  characters.delete('\ufffd');
  expect(characters.size).toBeGreaterThan(21_000);
  const text = [...characters].join('');
  expect(decoder.decode(fromUtf8(Buffer.from(text)))).toBe(text);
});
