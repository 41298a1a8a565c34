/** Text of a stranger (an agent, a browser) that PostgreSQL can keep: no control characters, no half characters. */
export function plainText(text: string, maxLength: number): string {
  return text
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, maxLength)
    .toWellFormed();
}
