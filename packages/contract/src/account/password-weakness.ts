/** Why a password is easily guessed. This file imports no library, so the browser can load it. */
import { MAX_PASSWORD_LENGTH, MIN_DIFFERENT_CHARACTERS, MIN_PASSWORD_LENGTH } from '../limits.ts';
import type { FieldMessage } from '../messages/field-messages.ts';
import { commonWords, productWords } from './common-passwords.ts';

/** The least number of characters that neither continue a run nor belong to a known word. */
const MIN_UNFORESEEN = 4;
/** A word of one character occurs in any password by chance. */
const MIN_OWN_WORD_LENGTH = 2;
/** From this length on several common words make a passphrase, but a single one with its repetitions does not. */
const MIN_PASSPHRASE_LENGTH = 16;
/** Beside one word in a password of that length: `abc-password-2026!` has letters that nobody foresees. */
const MIN_UNFORESEEN_BESIDE_WORD = 3;

const runs = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
];
const adjacentPairs = new Set(runs.flatMap((run) => [...pairsOf(run), ...pairsOf([...run].toReversed().join(''))]));

/**
 * What is wrong with a new password; undefined when nothing is. `own` are the account's name, mail address and phone
 * number (E.164), as far as they are known.
 */
export function passwordWeakness(password: string, own: readonly string[] = []): FieldMessage | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (password.length < MIN_PASSWORD_LENGTH) return 'new-password.too-short';
  if (password.length > MAX_PASSWORD_LENGTH) return 'new-password.too-long';
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return 'new-password.too-uniform';
  if (unforeseenCount(text) < MIN_UNFORESEEN) return 'new-password.a-run';
  const ownWords = own.flatMap(wordsOf).filter((word) => word.length >= MIN_OWN_WORD_LENGTH);
  if (isMadeOf(text, ownWords)) return 'new-password.own-word';
  if (isMadeOf(text, productWords)) return 'new-password.product-word';
  if (isCommon(text, [...ownWords, ...productWords])) return 'new-password.common';
  return undefined;
}

function isCommon(text: string, otherWords: readonly string[]): boolean {
  if (text.length < MIN_PASSPHRASE_LENGTH) return isMadeOf(text, [...otherWords, ...commonWords]);
  return commonWords.some((word) => isMadeOf(text, [...otherWords, word], MIN_UNFORESEEN_BESIDE_WORD));
}

/** How many characters do not follow from the one before (repeated, or next in a run). */
function unforeseenCount(text: string): number {
  const characters = [...text];
  return characters.filter((character, index) => isUnforeseen(character, characters[index - 1] ?? '')).length;
}

function isUnforeseen(character: string, before: string): boolean {
  return character !== before && !adjacentPairs.has(before + character);
}

/**
 * Whether a text is one or more of these words and little else. Digits and signs count half: they are what people put
 * around a word. A year counts nothing.
 */
function isMadeOf(text: string, words: readonly string[], minUnforeseen = MIN_UNFORESEEN): boolean {
  const forms = [text, fold(text, 'i'), fold(text, 'l')];
  const known = Array.from({ length: text.length }, () => false);
  let hasWord = false;
  for (const word of words) {
    const folded = new Set([word, fold(word, 'i'), fold(word, 'l')]);
    for (const form of forms) for (const one of folded) hasWord = mark(form, one, known) || hasWord;
  }
  if (!hasWord) return false;
  for (const { index } of text.matchAll(/(?:19|20)\d\d/g)) known.fill(true, index, index + 4);
  let left = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (!known[at] && isUnforeseen(character, text.charAt(at - 1))) left += /\p{L}/u.test(character) ? 1 : 0.5;
  }
  return left < minUnforeseen;
}

/** Marks where the word occurs. False if it does not. */
function mark(text: string, word: string, known: boolean[]): boolean {
  let at = text.indexOf(word);
  if (at === -1) return false;
  for (; at !== -1; at = text.indexOf(word, at + word.length)) known.fill(true, at, at + word.length);
  return true;
}

/** The word itself, its parts, a mail address also without its domain, a phone number also without + and the country code. */
function wordsOf(name: string): string[] {
  const word = name.normalize('NFKC').toLowerCase();
  const local = word.split('@')[0] ?? '';
  const number = word.startsWith('+') ? [word.slice(1), word.slice(3)] : [];
  return [word, local, ...local.split(/[^\p{L}\p{N}]+/u), ...number];
}

const letters: Record<string, string> = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g' };
const signs: Record<string, string> = { '@': 'a', $: 's', '!': 'i', '+': 't', '(': 'c' };

/** With letters for the digits and signs that stand for them: `p@ssw0rd` is `password`. The length stays. */
function fold(text: string, one: 'i' | 'l'): string {
  return text.replaceAll(/[013457-9@$!+(|]/g, (sign) =>
    sign === '1' || sign === '|' ? one : (letters[sign] ?? signs[sign] ?? sign),
  );
}

function pairsOf(run: string): string[] {
  return [...run].slice(1).map((character, index) => run.charAt(index) + character);
}
