import { formatKey, keyOfNumbers } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { findKeys } from './find-keys.ts';

const one = formatKey(keyOfNumbers(Array.from({ length: 19 }, (_, at) => at)));
const other = formatKey(keyOfNumbers(Array.from({ length: 19 }, (_, at) => 31 - at)));

test.each([
  one,
  ` ${one.toLowerCase()} `,
  one.replaceAll('-', ''),
  one.replaceAll('-', ' – '),
  `您好，您的兑换码是${one}，请在 2026-12-31 之前使用。`,
  `【通途】兑换码：${one}\n有效期 12345 67890 天`,
  `https://example.com/#/productos?key=${one}`,
  `hello world12345 ${one}`,
])('a key is found in %j', (text) => {
  expect(findKeys(text)).toEqual([one]);
});

test('a list has each of its keys once', () => {
  expect(findKeys(`${one}\n${other}\r\n${one.toLowerCase()};${other}`)).toEqual([one, other]);
});

test('a key with a typing error is none, and neither is other text', () => {
  const wrong = one.slice(0, -1) + (one.endsWith('2') ? '3' : '2');
  expect([wrong, '', '没有', 'x'.repeat(400), '12345-67890-12345-67891'].flatMap(findKeys)).toEqual([]);
});
