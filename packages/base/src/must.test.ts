import { expect, test } from 'vitest';
import { must } from './must.ts';

test('a value passes through, even one that counts as false', () => {
  expect([must(0, 'count'), must('', 'text'), must(false, 'choice')]).toEqual([0, '', false]);
});

test('a missing value is named', () => {
  expect(() => must(undefined, 'relay address')).toThrow('missing: relay address');
  expect(() => must(null, 'relay address')).toThrow('missing: relay address');
});
