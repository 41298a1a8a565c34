import { withoutHiddenCharacters } from '@tongtu/contract';

/** Text of a stranger (an agent, a browser) that PostgreSQL can keep and people can read: nothing hidden, no half characters. */
export function plainText(text: string, maxLength: number): string {
  return withoutHiddenCharacters(text.replaceAll(/\p{Cc}/gu, ''))
    .slice(0, maxLength)
    .toWellFormed();
}
