import type { FileEntry } from '@tongtu/contract';
import { bytesOfName, nameOfBytes, nameOfText } from '@tongtu/contract/byte-names';
import { expect, test } from 'vitest';
import { FileNames } from './file-names.ts';

const gbk = (text: string) => nameOfText(text, 'gbk') ?? '';
const entry = (name: string): FileEntry => ({ name, type: 'file', size: 1, modified_at: null });
const hex = (path: string | undefined) => path && Buffer.from(bytesOfName(path)).toString('hex');

test('a new name is written like most others of its folder, and in an empty folder like those above', () => {
  const names = new FileNames('auto');
  names.note('/旧', [entry(gbk('甲')), entry(gbk('乙')), entry('丙'), entry('x')]);
  names.note('/新', [entry(gbk('甲')), entry('乙'), entry('丙')]);
  names.note('/旧/empty', []);
  expect(hex(names.newPath('/旧', '我'))).toBe(`${hex('/旧')}2fced2`);
  expect(hex(names.newPath('/旧/empty', '我'))).toBe(`${hex('/旧/empty')}2fced2`);
  expect(names.newPath('/新', '我')).toBe('/新/我');
  expect(names.newPaths(`/${gbk('资料')}`, '我/你.txt')).toBe(`/${gbk('资料')}/${gbk('我')}/${gbk('你.txt')}`);
  expect(new FileNames('utf-8').newPath('/旧', '我')).toBe('/旧/我');
});

test('two names that read alike stay two, and what could be either is read like its folder', () => {
  const names = new FileNames('auto');
  const cyrillic = nameOfBytes(Uint8Array.of(0xd2, 0xbb));
  names.note('/a', [entry(gbk('我')), entry('我'), entry(cyrillic)]);
  expect([gbk('我'), '我', cyrillic].map((name) => names.textOf(`/a/${name}`))).toEqual(['我', '我', '一']);
  expect(names.textOf(`/b/${cyrillic}`)).toBe('һ');
  expect(names.pathTextOf(`/a/${gbk('我')}/中文/${gbk('里')}`)).toBe('/a/我/中文/里');
});

test('of entries that read alike those that are no UTF-8 are marked', () => {
  const names = new FileNames('auto');
  const entries = [entry(gbk('我')), entry('我'), entry(gbk('你'))];
  names.note('/a', entries);
  const listed = names.withTexts('/a', entries);
  expect(listed.map(({ text, mark }) => [text, mark])).toEqual([
    ['我', 'GBK'],
    [undefined, undefined],
    ['你', undefined],
  ]);
});

test('what Big5 lacks is no name there', () => {
  expect(new FileNames('big5').newPath('/', '们')).toBeUndefined();
});
