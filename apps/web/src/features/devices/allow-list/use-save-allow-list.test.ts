import { expect, test } from 'vitest';
import { mergeAllowList } from './use-save-allow-list.ts';

const opened = ['203.0.113.7', '198.51.100.0/24'];

test.each([
  ['nobody else has changed it', opened, ['192.0.2.1', '203.0.113.7'], ['192.0.2.1', '203.0.113.7']],
  ['an entry was added elsewhere', [...opened, '192.0.2.9'], ['203.0.113.7'], ['203.0.113.7', '192.0.2.9']],
  ['an entry was removed elsewhere', ['203.0.113.7'], [...opened, '192.0.2.1'], ['203.0.113.7', '192.0.2.1']],
  ['the same entry was added elsewhere', [...opened, '192.0.2.1'], [...opened, '192.0.2.1'], [...opened, '192.0.2.1']],
])('%s', (_name, present, wanted, saved) => {
  expect(mergeAllowList(present, { opened, wanted })).toEqual(saved);
});
