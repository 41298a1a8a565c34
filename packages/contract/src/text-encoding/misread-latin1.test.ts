import { expect, test } from 'vitest';
import { withoutMisreadLatin1 } from './misread-latin1.ts';

test.each([
  ['ÎÒ.txt', '我.txt'],
  ['ä¸\xadæ\x96\x87', '中文'],
  ['plain', 'plain'],
  ['Ünïcödé café', 'Ünïcödé café'],
  ['中文 é', '中文 é'],
  ['é', 'é'],
])('%j is %j', (misread, text) => {
  expect(withoutMisreadLatin1(misread)).toBe(text);
});
