import { formatKey, readKey } from '@tongtu/contract/key-text';

/** Four groups of five letters, wherever they stand between other words; their check letter says whether they are a key. */
const candidates = /(?<![0-9a-z])(?=((?:[0-9a-z]{5}[\s\p{Pd}]{0,3}){3}[0-9a-z]{5})(?![0-9a-z]))/giu;

/** The keys in a text, each once, in the order in which they stand: of a typed key, a message, a link, a list. */
export function findKeys(text: string): string[] {
  const whole = readKey(text);
  if (whole !== undefined) return [formatKey(whole)];
  const found = Array.from(text.normalize('NFKC').matchAll(candidates), ([, candidate = '']) => readKey(candidate));
  return [...new Set(found.filter((letters) => letters !== undefined))].map(formatKey);
}
