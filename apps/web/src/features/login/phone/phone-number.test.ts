import { expect, test } from 'vitest';
import { completeNumber } from './phone-number.ts';

test.each([
  ['86', '13800138000', '+8613800138000'],
  ['86', ' 138 0013-8000 ', '+8613800138000'],
  ['852', '9123 4567', '+85291234567'],
  ['86', '+852 9123 4567', '+85291234567'],
  ['1', '(415) 555-2671', '+14155552671'],
])('of region %s, %j is %s', (region, typed, number) => {
  expect(completeNumber(region, typed)).toBe(number);
});

test.each(['', '12345', '23800138000', '138001380000', '1380013800x', '+', '+86x', '１３８００１３８０００'])(
  '%j is no mobile number of the mainland',
  (typed) => {
    expect(completeNumber('86', typed)).toBeUndefined();
  },
);
