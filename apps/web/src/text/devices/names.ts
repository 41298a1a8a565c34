import { showsSomething } from '@tongtu/contract/hidden-characters';

/**
 * Characters that change the direction of the text around them (Unicode Bidirectional Algorithm, explicit formatting).
 */
const turningCharacters = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A name that other people or devices have chosen, made safe for a sentence: it cannot change the direction of other
 * text.
 */
export function plainName(name: string): string {
  return name.replace(turningCharacters, '');
}

/** The name in quotation marks. */
export function quoted(name: string): string {
  return `“${plainName(name)}”`;
}

/** The name, or `fallback` when the name has no visible character. */
export function visibleName(name: string, fallback: string): string {
  return showsSomething(name) ? plainName(name) : fallback;
}
