import { randomInt } from 'node:crypto';
import { foldKeyText, isOfAlphabet, keyAlphabet } from '@tongtu/contract';

const LETTERS = 8;

/** Eight random letters of Crockford's base32. */
export function createInvitationCode(): string {
  return Array.from({ length: LETTERS }, () => keyAlphabet[randomInt(keyAlphabet.length)]).join('');
}

/** The code that was typed or stood in a link; case and look-alike letters do not matter. Undefined if it cannot be one. */
export function readInvitationCode(typed: string): string | undefined {
  const letters = foldKeyText(typed);
  return letters.length === LETTERS && isOfAlphabet(letters) ? letters : undefined;
}
