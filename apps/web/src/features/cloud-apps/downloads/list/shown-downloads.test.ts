import { expect, test } from 'vitest';
import { downloadOf } from '../../../../testing/download-fixtures.ts';
import { countGroups, shownDownloads } from './shown-downloads.ts';

const downloads = [
  downloadOf({ id: '1', name: '春天 Big.mkv', status: 'active' }),
  downloadOf({ id: '2', name: '夏天.zip', status: 'paused' }),
  downloadOf({ id: '3', name: '', status: 'error' }),
  downloadOf({ id: '4', name: 'big.iso', status: 'complete' }),
];
const idsOf = (...given: Parameters<typeof shownDownloads> extends [unknown, ...infer Rest] ? Rest : never) =>
  shownDownloads(downloads, ...given).map(({ id }) => id);

test('each download is in one group', () => {
  expect(countGroups(downloads)).toEqual({ all: 4, running: 1, waiting: 1, stopped: 2 });
  expect([idsOf('running', ''), idsOf('waiting', ''), idsOf('stopped', '')]).toEqual([['1'], ['2'], ['3', '4']]);
});

test('the filter wants each word, in any case and order, also of what stands for a name', () => {
  expect(idsOf('all', ' BIG ')).toEqual(['1', '4']);
  expect(idsOf('all', 'mkv 春')).toEqual(['1']);
  expect(idsOf('stopped', 'big')).toEqual(['4']);
  expect(idsOf('all', '名称')).toEqual(['3']);
});
