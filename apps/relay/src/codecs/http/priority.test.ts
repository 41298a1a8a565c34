import { expect, test } from 'vitest';
import { DEFAULT_PRIORITY, readPriority } from './priority.ts';

const read = (value: string) => readPriority([{ name: 'Priority', key: 'priority', value }]);

test.each([
  ['u=1', 1, false],
  ['u=0, i', 0, true],
  ['i', 3, true],
  ['u=5;x=1, i=?1', 5, true],
  ['i=?0,u=7', 7, false],
  ['u=1, u=2', 2, false],
  // As absent (RFC 9218, 4).
  ['u=8, i', 3, true],
  ['u=-1', 3, false],
  ['u="1"', 3, false],
  ['', 3, false],
  ['i=1, foo=(a b), u=12', 3, false],
])('%s', (value, urgency, isIncremental) => {
  expect(read(value)).toEqual({ urgency, isIncremental });
});

test('without the field nothing is known', () => {
  expect(readPriority([])).toBe(DEFAULT_PRIORITY);
});

test('the service changes what its answer names', () => {
  const fields = [{ name: 'priority', key: 'priority', value: 'u=6' }];
  expect(readPriority(fields, { urgency: 1, isIncremental: true })).toEqual({ urgency: 6, isIncremental: true });
});
