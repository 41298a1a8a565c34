/** A name that its friends recognise, and that nobody else learns: the first and the last letter. */
export function maskName(name: string): string {
  const letters = Array.from(name);
  return letters.length < 3 ? `${letters[0] ?? ''}***` : `${letters[0]}***${letters.at(-1)}`;
}
