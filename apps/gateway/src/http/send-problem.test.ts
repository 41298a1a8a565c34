import { expect, test } from 'vitest';
import { detailIn } from './send-problem.ts';

const text = { zh: '中文', en: 'English' };

test.each([
  [undefined, '中文'],
  ['*', '中文'],
  ['zh-CN,zh;q=0.9,en;q=0.8', '中文'],
  ['en-US,en;q=0.9,zh;q=0.8', 'English'],
  ['fr-FR,en;q=0.5', 'English'],
  ['en;q=0.2,zh;q=0.9', '中文'],
])('a client that accepts %j reads %s', (acceptLanguage, expected) => {
  expect(detailIn(text, acceptLanguage)).toBe(expected);
});
