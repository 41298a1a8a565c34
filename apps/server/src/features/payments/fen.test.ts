import { assert, integer, property, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { fenOf, yuanText } from './fen.ts';

const LARGEST_FEN = 999_999_999_999_999;

test('every amount survives being written in yuan and read again', () => {
  assert(
    property(integer({ min: -LARGEST_FEN, max: LARGEST_FEN }), (fen) => {
      expect(fenOf(yuanText(fen))).toBe(fen);
    }),
  );
});

test('a written amount has exactly two places and the digits of the whole number', () => {
  assert(
    property(integer({ min: 0, max: LARGEST_FEN }), (fen) => {
      expect(yuanText(fen)).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
      expect(BigInt(yuanText(fen).replace('.', ''))).toBe(BigInt(fen));
    }),
  );
});

test('every decimal is read exactly, with none, one or two places', () => {
  assert(
    property(stringMatching(/^\d{1,13}(\.\d{1,2})?$/), (yuan) => {
      const [whole = '', fraction = ''] = yuan.split('.');
      expect(BigInt(fenOf(yuan) ?? -1)).toBe(BigInt(whole + fraction.padEnd(2, '0')));
    }),
  );
});

test.for([
  '',
  '.',
  '1.',
  '.5',
  '1.234',
  '1e3',
  '+1',
  '0x10',
  ' 1',
  '1 ',
  '1,000.00',
  '１',
  'NaN',
  '-',
  '12345678901234.00',
])('%j is no amount', (text) => {
  expect(fenOf(text)).toBeUndefined();
});

test.for([0.5, Number.NaN, Infinity, 2 ** 53])('%d fen cannot be written', (fen) => {
  expect(() => yuanText(fen)).toThrow('whole number');
});
