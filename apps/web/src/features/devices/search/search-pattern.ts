/** The syntax characters of a regular expression (ECMA-262, SyntaxCharacter). */
const syntaxCharacters = /[\\^$.*+?()[\]{}|]/gu;

/** A pattern for the typed text that ignores case; undefined when the field is empty. */
export function createSearchPattern(search: string): RegExp | undefined {
  const wanted = search.trim();
  return wanted === '' ? undefined : new RegExp(wanted.replaceAll(syntaxCharacters, String.raw`\$&`), 'iu');
}

export type TextPart = { text: string; isMatch: boolean };

/** The text split into pieces, alternating between matches and the rest. */
export function splitByPattern(text: string, pattern: RegExp): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(pattern, 'giu'))) {
    if (index > end) parts.push({ text: text.slice(end, index), isMatch: false });
    parts.push({ text: found, isMatch: true });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}
