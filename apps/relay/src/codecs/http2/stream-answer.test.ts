import { expect, test } from 'vitest';
import type { Field } from '../http/fields.ts';
import { trailerFields } from './stream-answer.ts';

const field = (key: string, value: string): Field => ({ name: key, key, value });

test('fields named like properties of every object are ordinary fields', () => {
  const names = ['constructor', '__proto__', 'tostring', 'x-sum'];
  const fields = trailerFields([...names.map((name) => field(name, 'a')), field('__proto__', 'b')]);
  expect(Object.entries(fields)).toEqual([
    ['constructor', 'a'],
    ['__proto__', ['a', 'b']],
    ['tostring', 'a'],
    ['x-sum', 'a'],
  ]);
});
