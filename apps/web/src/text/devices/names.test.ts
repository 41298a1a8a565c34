import { expect, test } from 'vitest';
import { quoted, visibleName } from './names.ts';

test.each([
  ['\u202Egpj.exe', '“gpj.exe”'],
  ['群\u2067晖\u2069', '“群晖”'],
  ['👨\u200D👩\u200D👧 \u05E9\u05DC\u05D5\u05DD', '“👨\u200D👩\u200D👧 \u05E9\u05DC\u05D5\u05DD”'],
])('in %j a sentence keeps what does not change its direction', (name, words) => {
  expect(quoted(name)).toBe(words);
});

test.each(['', ' \u3000', '\u200B\u2060', '\u3164', '\u2800', '\u202E'])('%j is replaced by the fallback', (name) => {
  expect(visibleName(name, 'nas-1')).toBe('nas-1');
});

test('a visible name stays', () => {
  expect(visibleName('\u200E书房 NAS', 'nas-1')).toBe('书房 NAS');
});
