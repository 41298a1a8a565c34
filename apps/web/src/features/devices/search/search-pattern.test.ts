import { expect, test } from 'vitest';
import { createSearchPattern, splitByPattern } from './search-pattern.ts';

function marked(text: string, search: string): string {
  const pattern = createSearchPattern(search);
  if (pattern === undefined) return text;
  return splitByPattern(text, pattern)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');
}

test.each([
  ['upper and lower case are the same', 'NAS.example.com', 'nas', '[NAS].example.com'],
  ['every place is marked', '相册和老相册', '相册', '[相册]和老[相册]'],
  ['spaces around what was typed do not count', 'NAS 10', '  nas 1 ', '[NAS 1]0'],
  ['a dot is a dot', 'nas.a nasxa', 's.a', 'na[s.a] nasxa'],
  ['brackets and stars are characters', 'a[b]* (c)', '[b]* (', 'a[[b]* (]c)'],
  ['nothing is marked where nothing matches', 'router', 'nas', 'router'],
])('%s', (_what, text, search, expected) => {
  expect(marked(text, search)).toBe(expected);
});

test('spaces alone are no search', () => {
  expect(createSearchPattern('  ')).toBeUndefined();
});
