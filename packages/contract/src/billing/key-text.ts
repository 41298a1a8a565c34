/**
 * The text of a product key: 19 random letters of Crockford's base32 (95 bits) and a check letter, shown in four groups of
 * five. This file imports no library, so the browser can load it.
 */
export const keyAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const KEY_RANDOM_LETTERS = 19;
export const KEY_LETTERS = KEY_RANDOM_LETTERS + 1;
const GROUP_LETTERS = 5;
/** What the lists show of a key: its last group. */
export const KEY_HINT_LETTERS = GROUP_LETTERS;

const GROUPS = /.{5}(?!$)/g;
const SPACES_AND_HYPHENS = /[\s\p{Pd}]+/gu;

/** The letters of a key with these random numbers, each from 0 to 31, and its check letter. */
export function keyOfNumbers(numbers: readonly number[]): string {
  return [...numbers, checkNumberOf(numbers)].map((number) => keyAlphabet[number]).join('');
}

/** A key in its groups: `7K2QM-9ZX4T-0ABCD-EFGHJ`. */
export function formatKey(letters: string): string {
  return letters.replaceAll(GROUPS, '$&-');
}

/** Brings typed text into the alphabet: case, spaces and hyphens do not matter, O is 0, I and L are 1. */
export function foldKeyText(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(SPACES_AND_HYPHENS, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}

/** The 20 letters of a typed key. Undefined if they cannot be a key: wrong letters, another number of them, or a typing error. */
export function readKey(typed: string): string | undefined {
  const letters = foldKeyText(typed);
  if (letters.length !== KEY_LETTERS || !isOfAlphabet(letters)) return undefined;
  const numbers = Array.from(letters, (letter) => keyAlphabet.indexOf(letter));
  return checkNumberOf(numbers.slice(0, KEY_RANDOM_LETTERS)) === numbers[KEY_RANDOM_LETTERS] ? letters : undefined;
}

/** Whether folded text has only letters of the alphabet. */
export function isOfAlphabet(letters: string): boolean {
  return Array.from(letters).every((letter) => keyAlphabet.includes(letter));
}

/**
 * A weighted sum in the field of 32 elements. The weights are different powers of 2, and the check letter's own is 1, so
 * that every single wrong letter and every two exchanged ones are noticed.
 */
function checkNumberOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => timesTwo(sum ^ number), 0);
}

/** Modulo x^5 + x^2 + 1, which is primitive: 2 has the order 31. */
function timesTwo(number: number): number {
  const doubled = number << 1;
  return doubled < 32 ? doubled : doubled ^ 0b10_0101;
}
