/** Why a password is easily guessed. This file imports no library, so the browser can load it. */
import { MAX_PASSWORD_LENGTH, MIN_DIFFERENT_CHARACTERS, MIN_PASSWORD_LENGTH } from '../limits.ts';
import type { FieldMessage } from '../messages/field-messages.ts';

/** The least number of characters that neither continue a run nor belong to the account's own names. */
const MIN_UNFORESEEN = 4;
/** Shorter words occur in any password by chance. */
const MIN_OWN_WORD_LENGTH = 4;

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
  const text = fold(password);
  if (password.length < MIN_PASSWORD_LENGTH) return 'new-password.too-short';
  if (password.length > MAX_PASSWORD_LENGTH) return 'new-password.too-long';
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return 'new-password.too-uniform';
  if (unforeseenCount(text) < MIN_UNFORESEEN) return 'new-password.a-run';
  if (isOwnWord(text, own)) return 'new-password.own-word';
  return undefined;
}

/** How many characters do not follow from the one before (repeated, or next in a run). */
function unforeseenCount(text: string): number {
  const characters = [...text];
  return characters.filter((character, index) => {
    const before = characters[index - 1] ?? '';
    return character !== before && !adjacentPairs.has(before + character);
  }).length;
}

function isOwnWord(text: string, own: readonly string[]): boolean {
  const words = own.flatMap(ownWords).filter((word) => word.length >= MIN_OWN_WORD_LENGTH);
  // The longest first: otherwise removing a name would leave the rest of the address that contains it.
  const rest = words.toSorted((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), text);
  return rest !== text && [...rest].length < MIN_UNFORESEEN;
}

/** The word itself, a mail address also without its domain, a phone number also without + and the country code. */
function ownWords(name: string): string[] {
  const word = fold(name);
  const local = word.split('@')[0] ?? '';
  return word.startsWith('+86') ? [word, word.slice(1), word.slice(3)] : [word, word.replace(/^\+/, ''), local];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function pairsOf(run: string): string[] {
  return [...run].slice(1).map((character, index) => run.charAt(index) + character);
}
