import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatKey, keyOfNumbers, readKey } from './key-text.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 19, maxLength: 19 });
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const letter = fc.constantFrom(...Array.from(alphabet));

test('a key has four groups of five letters', () => {
  fc.assert(
    fc.property(numbers, (random) => {
      expect(formatKey(keyOfNumbers(random))).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    }),
  );
});

test('a key is read with any case, spaces, hyphens and look-alike letters', () => {
  const style = fc.record({
    isLower: fc.boolean(),
    separator: fc.constantFrom('', '-', ' ', ' - ', '–', '—', '－', '\u3000', '\n'),
    isFullWidth: fc.boolean(),
    one: fc.constantFrom('1', 'I', 'L', 'i', 'l'),
    zero: fc.constantFrom('0', 'O', 'o'),
  });
  fc.assert(
    fc.property(numbers, style, (random, { isLower, separator, isFullWidth, one, zero }) => {
      const key = keyOfNumbers(random);
      const typed = formatKey(isLower ? key.toLowerCase() : key)
        .replaceAll('-', separator)
        .replaceAll('1', one)
        .replaceAll('0', zero);
      expect(readKey(` ${isFullWidth ? toFullWidth(typed) : typed} `)).toBe(key);
    }),
  );
});

test('one wrong letter anywhere is noticed', () => {
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 19 }), letter, (random, at, wrong) => {
      const key = keyOfNumbers(random);
      fc.pre(key[at] !== wrong);
      expect(readKey(key.slice(0, at) + wrong + key.slice(at + 1))).toBeUndefined();
    }),
  );
});

test('two exchanged letters are noticed, also where others stand between them', () => {
  const place = fc.integer({ min: 0, max: 19 });
  fc.assert(
    fc.property(numbers, place, place, (random, one, other) => {
      const letters = Array.from(keyOfNumbers(random));
      fc.pre(letters[one] !== letters[other]);
      const exchanged = letters.with(one, letters[other] ?? '').with(other, letters[one] ?? '');
      expect(readKey(exchanged.join(''))).toBeUndefined();
    }),
  );
});

test.each([
  '',
  '-',
  '0'.repeat(19),
  '0'.repeat(21),
  'U'.repeat(20),
  `${'0'.repeat(19)}*`,
  `${'0'.repeat(19)}你`,
  `${'0'.repeat(18)}😀`,
])('%j is no key', (typed) => {
  expect(readKey('0'.repeat(20))).toBe('0'.repeat(20));
  expect(readKey(typed)).toBeUndefined();
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite' }), (typed) => {
      const letters = readKey(typed);
      expect(letters === undefined || readKey(letters) === letters).toBe(true);
    }),
  );
});

function toFullWidth(text: string): string {
  return text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
}
