import { expect, test } from 'vitest';
import { personName, personText } from '../shared.ts';
import { hasHiddenCharacters, showsSomething, withoutHiddenCharacters } from './hidden-characters.ts';

const shown = [
  '客厅的群晖 NAS（二楼）',
  'Zoë’s Mac — 2',
  'نقطة الوصول',
  '👨‍👩‍👧 家',
  '🏳️‍🌈',
  '👩🏽‍💻',
  '❤️',
  '1️⃣ 号机',
  '⛹🏽‍♂️',
  '☎︎ 座机',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '葛󠄀城',
];
const hiding = Array.from(
  '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C\u200B\u2060\uFEFF' +
    '\u0000\u001B\u0085\u00AD\u034F\u115F\u180E\u200C\u2028\u2029\u2800\u3164\uFE0E\uFFA0\u{E0041}\u{E0100}\uD800',
);

test.each(shown)('%j is a name as it stands', (name) => {
  expect(hasHiddenCharacters(name)).toBe(false);
  expect(withoutHiddenCharacters(name)).toBe(name);
  expect(personName(40, 'name.missing').parse(` ${name} `)).toBe(name);
});

test.each(hiding.map((character) => [character.codePointAt(0)?.toString(16), character] as const))(
  'U+%s is refused from people and dropped from machines',
  (_code, character) => {
    const name = `NAS${character}gnp.exe`;
    expect(
      personText(40)
        .safeParse(name)
        .error?.issues.map(({ message }) => message),
    ).toEqual(['text.hidden']);
    expect(withoutHiddenCharacters(name).replace(' ', '')).toBe('NASgnp.exe');
  },
);

test.each(['a\u200Db', '家\u200D👨', '👨\u200D家', 'a\uFE0F', '1\uFE0F', '\u200D', '👨\u202E\u200D👩'])(
  'what joins emoji is hidden elsewhere: %j',
  (name) => {
    expect(hasHiddenCharacters(name)).toBe(true);
    expect(hasHiddenCharacters(withoutHiddenCharacters(name))).toBe(false);
  },
);

test.each(['', ' ', '\u3000', '\u00A0\u2003', '\u0301'])('%j shows nothing and is no name', (name) => {
  expect(showsSomething(name)).toBe(false);
  expect(
    personName(40, 'name.missing')
      .safeParse(name)
      .error?.issues.map(({ message }) => message),
  ).toEqual(['name.missing']);
});

test('an emoji alone is a name', () => {
  expect(personName(40, 'name.missing').parse('🏠')).toBe('🏠');
});

test('lines of a name that a machine brings become one', () => {
  expect(withoutHiddenCharacters(' my\r\n\tnas \u202E')).toBe('my nas');
});
