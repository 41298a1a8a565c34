/**
 * A 16-bit hash that distinguishes numbers but cannot be reversed, because many numbers share it. For storage that the
 * next user of this browser could read.
 */
export function shortHash(text: string): string {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash.toString(36);
}
