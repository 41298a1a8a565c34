import { expect, test } from 'vitest';
import { nextTile } from './next-tile.ts';

/** Two groups: a row of three and a row of two, below them a row of one. */
const boxes = [
  { left: 0, top: 0 },
  { left: 100, top: 0 },
  { left: 200, top: 0 },
  { left: 0, top: 100 },
  { left: 100, top: 100 },
  { left: 0, top: 250 },
].map((box) => ({ ...box, bottom: box.top + 80 }));

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 2, 3],
  ['ArrowRight', 5, undefined],
  ['ArrowLeft', 3, 2],
  ['ArrowLeft', 0, undefined],
  ['ArrowDown', 1, 4],
  ['ArrowDown', 2, 4],
  ['ArrowDown', 4, 5],
  ['ArrowDown', 5, undefined],
  ['ArrowUp', 5, 3],
  ['ArrowUp', 4, 1],
  ['ArrowUp', 1, undefined],
  ['Home', 4, 0],
  ['End', 0, 5],
  ['a', 0, undefined],
])('%s leads from tile %i to %s', (key, from, to) => {
  expect(nextTile(key, boxes, from)).toBe(to);
});
