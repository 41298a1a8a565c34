import { expect, test } from 'vitest';
import { cursorKey, withModifiers } from './touch-keys.ts';

test.each([
  ['c', { ctrl: true, alt: false }, '\u0003'],
  ['C', { ctrl: true, alt: false }, '\u0003'],
  ['[', { ctrl: true, alt: false }, '\u001B'],
  [' ', { ctrl: true, alt: false }, '\u0000'],
  ['1', { ctrl: true, alt: false }, '1'],
  ['中', { ctrl: true, alt: false }, '中'],
  ['b', { ctrl: false, alt: true }, '\u001Bb'],
  ['b', { ctrl: true, alt: true }, '\u001B\u0002'],
  ['paste', { ctrl: true, alt: true }, 'paste'],
])('%s with %o is %j', (text, modifiers, sent) => {
  expect(withModifiers(text, modifiers)).toBe(sent);
});

test.each([
  [{ ctrl: false, alt: false }, false, '\u001B[C'],
  [{ ctrl: false, alt: false }, true, '\u001BOC'],
  [{ ctrl: true, alt: false }, true, '\u001B[1;5C'],
  [{ ctrl: true, alt: true }, false, '\u001B[1;7C'],
])('the right cursor key with %o, application keys %s', (modifiers, hasApplicationKeys, sent) => {
  expect(cursorKey('right', modifiers, hasApplicationKeys)).toBe(sent);
});
