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
  const { folders, files } = await readDropped({ items } as unknown as DataTransfer); // the part of it that is used
  expect(folders).toEqual(['照片', '照片/空']);
  expect(files.map(({ path }) => path)).toEqual(['a.txt', '照片/1.jpg', '照片/2.jpg']);
});

test('a chosen folder comes before those in it', () => {
  const chosen = ['a/b/c/2.txt', 'a/1.txt'].map((path) => {
    const file = new File(['x'], path);
    Object.defineProperty(file, 'webkitRelativePath', { value: path });
    return file;
  });
  expect(readChosen(chosen).folders).toEqual(['a', 'a/b', 'a/b/c']);
  expect(readChosen([new File(['x'], '3.txt')])).toMatchObject({ folders: [], files: [{ path: '3.txt' }] });
});
