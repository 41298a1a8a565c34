import { expect, test } from 'vitest';
import { errorCatalogue } from './errors.ts';
import { fieldMessages } from './field-messages.ts';

const texts = Object.entries({ ...errorCatalogue, ...fieldMessages });

test('every text of the catalogues is Chinese in Chinese and English in English', () => {
  expect(texts.filter(([, { zh }]) => !/\p{Script=Han}/u.test(zh))).toEqual([]);
  expect(texts.filter(([, { en }]) => !/^[A-Z][\x20-\x7e]+$/.test(en))).toEqual([]);
});

test('illegal input is named in the words of specification §8', () => {
  const { zh, en } = errorCatalogue['request.invalid'];
  expect([zh, en]).toEqual(['输入的数据不合法!', 'Illegal input']);
});
