import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { longestFiles } from './longest-first.ts';

test('the files to run first exist', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  expect(longestFiles.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
