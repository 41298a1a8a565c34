/**
 * Two bytes by which one number is told from another, and from which none can be had again: many have the same. For
 * what is kept where the next person at this browser could read it.
 */
export function shortHash(text: string): string {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash.toString(36);
}
