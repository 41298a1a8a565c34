import { expect, test } from 'vitest';
import { lonePoints } from './plot-options.ts';

test('a point between gaps or at an end has no line and is drawn as a point', () => {
  expect(lonePoints([3, null, 0, 2, null, 5, undefined, null, 7])).toEqual([0, 5, 8]);
});
