import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's base32, so that people can read it aloud

/** A number for people and for payment providers, which take up to 32 letters: the day in UTC and ten random letters. */
export function newNumber(prefix: 'T' | 'P' | 'R', now = new Date()): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  return `${prefix}${day}${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}
