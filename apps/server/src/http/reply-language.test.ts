import { expect, test } from 'vitest';
import { replyLanguage } from './reply-language.ts';

test.each([
  [undefined, 'zh'],
  ['', 'zh'],
  ['*', 'zh'],
  ['zh', 'zh'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['zh-Hant-TW', 'zh'],
  ['en', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['EN-gb', 'en'],
  ['en;q=0.9, zh;q=0.8', 'en'],
  ['zh;q=0.8, en;q=0.9', 'en'],
  ['en, zh', 'en'],
  ['fr', 'zh'],
  ['fr, en;q=0.5', 'en'],
  ['fr, *;q=0.5', 'zh'],
  ['zh;q=0, *', 'en'],
  ['en;q=0', 'zh'],
  ['english', 'zh'],
  ['en;q=x', 'zh'],
  [';;,,=', 'zh'],
])('Accept-Language %j is answered in %s', (acceptLanguage, language) => {
  const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  expect(replyLanguage({ headers })).toBe(language);
});
