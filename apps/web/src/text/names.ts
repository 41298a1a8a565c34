import { showsSomething } from '@tongtu/contract/hidden-characters';

/** What turns the direction of the text around it (Unicode Bidirectional Algorithm, explicit formatting). */
const turningCharacters = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A name that other people or devices have chosen, as it may stand in a sentence: it turns nothing but itself. */
export function plainName(name: string): string {
  return name.replace(turningCharacters, '');
}

/** The name in quotation marks. */
export function quoted(name: string): string {
  return `“${plainName(name)}”`;
}

/** The name, or `fallback` where nothing of it is to be seen. */
export function visibleName(name: string, fallback: string): string {
  return showsSomething(name) ? plainName(name) : fallback;
}
