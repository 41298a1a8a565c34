import { expect, test } from 'vitest';
import { readChosen, readDropped } from './read-dropped.ts';

/** An entry as browsers give it for a drop: a folder hands out its content in parts. */
function entryOf(name: string, content?: FileSystemEntry[]): FileSystemEntry {
  const file = new File(['x'], name);
  const parts = [...(content ?? []).map((entry) => [entry]), []];
  const entry = {
    ...{ name, isFile: content === undefined, isDirectory: content !== undefined },
    file: (done: (found: File) => void) => done(file),
    createReader: () => ({ readEntries: (done: (some: FileSystemEntry[]) => void) => done(parts.shift() ?? []) }),
  };
  return entry as unknown as FileSystemEntry; // the parts of it that are used
}

test('dropped folders are read with all that lies in them, also when they are empty', async () => {
  const entries = [entryOf('a.txt'), entryOf('照片', [entryOf('1.jpg'), entryOf('空', []), entryOf('2.jpg')])];
  const items = [...entries, null].map((entry) => ({ webkitGetAsEntry: () => entry }));
  const found: number[] = [];
  const transfer = { items } as unknown as DataTransfer; // the part of it that is used
  const { emptyFolders, files } = await readDropped(transfer, (count) => found.push(count));
  expect(found.at(-1)).toBe(3);
  expect(emptyFolders).toEqual(['照片/空']);
  expect(files.map(({ path }) => path)).toEqual(['a.txt', '照片/1.jpg', '照片/2.jpg']);
});

test('what the browser does not hand out is named, and the rest is read', async () => {
  const fails = (_done: unknown, fail: () => void) => fail();
  const locked = Object.assign(entryOf('锁住'), { file: fails });
  const closed = Object.assign(entryOf('关着', []), { createReader: () => ({ readEntries: fails }) });
  const items = [locked, closed, entryOf('a.txt')].map((entry) => ({ webkitGetAsEntry: () => entry }));
  const transfer = { items } as unknown as DataTransfer; // the part of it that is used
  const { files, unreadable } = await readDropped(transfer);
  expect(files.map(({ path }) => path)).toEqual(['a.txt']);
  expect(unreadable).toEqual(['锁住', '关着']);
});

test('chosen files have the path below the chosen folder', async () => {
  const chosen = ['a/b/c/2.txt', 'a/1.txt'].map((path) => {
    const file = new File(['x'], path);
    Object.defineProperty(file, 'webkitRelativePath', { value: path });
    return file;
  });
  const { files } = await readChosen([...chosen, new File(['12'], '3.txt')]);
  expect(files.map(({ path, size }) => [path, size])).toEqual([
    ['a/b/c/2.txt', 1],
    ['a/1.txt', 1],
    ['3.txt', 2],
  ]);
});

test('a backslash in the name of a chosen file stays one, though the browser gives a path without', async () => {
  const fileAt = (name: string, path: string) => {
    const file = new File(['x'], name);
    Object.defineProperty(file, 'webkitRelativePath', { value: path });
    return file;
  };
  const chosen = [
    fileAt(String.raw`a\b\.txt`, '照片/c/a/b/.txt'),
    fileAt(String.raw`a\b`, String.raw`照片/a\b`), // another browser
    fileAt('b', '照片/a/b'),
  ];
  const { files } = await readChosen(chosen);
  expect(files.map(({ path }) => path)).toEqual([String.raw`照片/c/a\b\.txt`, String.raw`照片/a\b`, '照片/a/b']);
});
