import { expect, test } from 'vitest';
import { createMemoryWatch } from './give-back-memory.ts';

const MB = 1_000_000;

test('memory is collected after a burst, once, and again after the next one', () => {
  let rss = 60 * MB;
  let collections = 0;
  const watch = createMemoryWatch({
    readRss: () => rss,
    collect: () => {
      collections++;
      rss -= 50 * MB;
    },
  });
  watch();
  expect(collections).toBe(0);
  rss = 120 * MB; // a download
  watch();
  expect(collections).toBe(1);
  watch();
  expect(collections).toBe(1);
  rss = 120 * MB;
  watch();
  expect(collections).toBe(2);
});
