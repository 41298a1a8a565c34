import { withoutHiddenCharacters } from '@tongtu/contract';

/** Cleans text from an agent or browser: no control or hidden characters and no lone surrogates, which PostgreSQL refuses. */
export function plainText(text: string, maxLength: number): string {
  return withoutHiddenCharacters(text.replaceAll(/\p{Cc}/gu, ''))
    .slice(0, maxLength)
    .toWellFormed();
}
