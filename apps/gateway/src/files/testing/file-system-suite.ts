import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { childPath, type Entry, type FileSystem } from '../file-system.ts';

type Opened = AsyncDisposable & { fileSystem: FileSystem; folder: string };

/** What every protocol must do, against a real server. `open` gives an empty folder. */
export function testFileSystem(name: string, open: () => Promise<Opened>, { skip }: { skip: boolean }): void {
  const check = (title: string, run: (fileSystem: FileSystem, at: (name: string) => string) => Promise<void>): void =>
    test.skipIf(skip)(`${name}: ${title}`, async () => {
      await using opened = await open();
      await run(opened.fileSystem, (file) => childPath(opened.folder, file));
    });

  check('a written file is read back, whole and in part', async (fileSystem, at) => {
    const bytes = randomBytes(5_000_003);
    expect(await fileSystem.write(at('数据.bin'), pieces(bytes, 70_001), { start: 0, total: bytes.length })).toBe(
      bytes.length,
    );
    expect((await fileSystem.stat(at('数据.bin'))).size).toBe(bytes.length);
    expect(hash(await readAll(fileSystem, at('数据.bin'), 0, bytes.length))).toBe(hash(bytes));
    expect(await readAll(fileSystem, at('数据.bin'), 4_999_000, 5_000_000)).toEqual(
      bytes.subarray(4_999_000, 5_000_000),
    );
  });

  check('writing again empties the file first', async (fileSystem, at) => {
    await fileSystem.write(at('a'), pieces(Buffer.alloc(1000, 1), 100), { start: 0, total: 1000 });
    await fileSystem.write(at('a'), pieces(Buffer.from('短'), 3), { start: 0, total: 3 });
    expect((await readAll(fileSystem, at('a'), 0, 3)).toString()).toBe('短');
    expect((await fileSystem.stat(at('a'))).size).toBe(3);
  });

  check('an empty file can be written', async (fileSystem, at) => {
    expect(await fileSystem.write(at('empty'), pieces(Buffer.alloc(0), 1), { start: 0, total: 0 })).toBe(0);
    expect(await fileSystem.stat(at('empty'))).toMatchObject({ type: 'file', size: 0 });
  });

  check('a file that is shorter than expected fails the read', async (fileSystem, at) => {
    await fileSystem.write(at('short'), pieces(Buffer.alloc(10), 10), { start: 0, total: 10 });
    await expect(readAll(fileSystem, at('short'), 0, 100_000)).rejects.toMatchObject({ code: 'changed' });
  });

  check('a list has names, types, sizes and times', async (fileSystem, at) => {
    const names = ['文件 #%&+;=@.txt', 'emoji 👩‍👩‍👧', "quo'te", 'x'.repeat(240)];
    for (const file of names) await fileSystem.write(at(file), pieces(Buffer.from('12345'), 5), { start: 0, total: 5 });
    await fileSystem.createFolder(at('文件夹'));
    const entries = await listAll(fileSystem, parentOf(at('x')));
    expect(entries.map((entry) => entry.name).sort()).toEqual([...names, '文件夹'].sort());
    expect(entries.find((entry) => entry.name === '文件夹')).toMatchObject({ type: 'folder' });
    const file = entries.find((entry) => entry.name === names[0]);
    expect(file).toMatchObject({ type: 'file', size: 5 });
    expect(Math.abs(Date.now() - (file?.modifiedAt?.getTime() ?? 0))).toBeLessThan(3_600_000);
  });

  check('a rename replaces nothing unless it may', async (fileSystem, at) => {
    for (const file of ['a', 'b'])
      await fileSystem.write(at(file), pieces(Buffer.from(file), 1), { start: 0, total: 1 });
    await expect(fileSystem.rename(at('a'), at('b'), { overwrite: false })).rejects.toMatchObject({ code: 'exists' });
    await fileSystem.rename(at('a'), at('b'), { overwrite: true });
    expect((await readAll(fileSystem, at('b'), 0, 1)).toString()).toBe('a');
    await fileSystem.createFolder(at('夹'));
    await fileSystem.rename(at('夹'), at('新夹'), { overwrite: false });
    await fileSystem.rename(at('b'), at('新夹/b'), { overwrite: false });
    expect((await listAll(fileSystem, at('新夹'))).map((entry) => entry.name)).toEqual(['b']);
    expect((await listAll(fileSystem, parentOf(at('x')))).map((entry) => entry.name)).toEqual(['新夹']);
  });

  check('what is missing, there already, full or no folder is said', async (fileSystem, at) => {
    await fileSystem.write(at('file'), pieces(Buffer.from('x'), 1), { start: 0, total: 1 });
    await fileSystem.createFolder(at('folder'));
    await fileSystem.write(at('folder/inside'), pieces(Buffer.from('x'), 1), { start: 0, total: 1 });
    const missing = { code: 'not-found' };
    await expect(fileSystem.stat(at('none'))).rejects.toMatchObject(missing);
    await expect(listAll(fileSystem, at('none'))).rejects.toMatchObject(missing);
    await expect(fileSystem.deleteFile(at('none'))).rejects.toMatchObject(missing);
    await expect(fileSystem.rename(at('none'), at('other'), { overwrite: false })).rejects.toMatchObject(missing);
    await expect(readAll(fileSystem, at('none'), 0, 1)).rejects.toMatchObject(missing);
    await expect(fileSystem.createFolder(at('folder'))).rejects.toMatchObject({ code: 'exists' });
    await expect(fileSystem.deleteFolder(at('folder'))).rejects.toMatchObject({ code: 'not-empty' });
    await expect(listAll(fileSystem, at('file'))).rejects.toMatchObject({ code: 'not-a-folder' });
    await fileSystem.deleteFile(at('folder/inside'));
    await fileSystem.deleteFolder(at('folder'));
    expect((await listAll(fileSystem, parentOf(at('x')))).map((entry) => entry.name)).toEqual(['file']);
  });

  check('a read that is given up ends, and others go on', async (fileSystem, at) => {
    const bytes = randomBytes(3_000_000);
    await fileSystem.write(at('big'), pieces(bytes, 65_536), { start: 0, total: bytes.length });
    // More than SMB's first credits last for, if they were not given back.
    for (let round = 0; round < 8; round++)
      for await (const chunk of fileSystem.read(at('big'), { start: 0, end: bytes.length })) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    expect(hash(await readAll(fileSystem, at('big'), 0, bytes.length))).toBe(hash(bytes));
  });

  check('names are kept as they are: emoji, signs with a meaning in addresses, 255 bytes', async (fileSystem, at) => {
    const names = ['👩‍👩‍👧 全家', '100% #1 &a+b=c;[x]', '名'.repeat(85), "it's ~ {here}"];
    for (const name of names)
      await fileSystem.write(at(name), pieces(Buffer.from(name), 100), { start: 0, total: Buffer.byteLength(name) });
    expect((await listAll(fileSystem, parentOf(at('x')))).map(({ name }) => name).sort()).toEqual(names.toSorted());
    for (const name of names) {
      const size = Buffer.byteLength(name);
      expect((await readAll(fileSystem, at(name), 0, size)).toString()).toBe(name);
      await fileSystem.deleteFile(at(name));
    }
    expect(await listAll(fileSystem, parentOf(at('x')))).toEqual([]);
  });

  check(
    'a name of 256 bytes is refused in words, and a line break in one is kept or refused',
    async (fileSystem, at) => {
      const write = async (name: string): Promise<void> =>
        void (await fileSystem.write(at(name), pieces(Buffer.from('x'), 1), { start: 0, total: 1 }));
      // Apache answers 403 to it.
      const code = expect.stringMatching(/^(name-not-possible|forbidden)$/);
      await expect(write(`${'名'.repeat(85)}x`)).rejects.toMatchObject({ name: 'FileError', code });
      await write('line\nbreak').then(
        async () => expect((await fileSystem.stat(at('line\nbreak'))).size).toBe(1),
        (error: unknown) => expect(error).toMatchObject({ name: 'FileError', code }),
      );
    },
  );

  check('a write that is cut keeps what it had and goes on from there', async (fileSystem, at) => {
    const bytes = randomBytes(3_000_000);
    const cut = new Error('cut');
    async function* untilCut(): AsyncGenerator<Buffer> {
      yield* pieces(bytes.subarray(0, 1_234_567), 50_000);
      throw cut;
    }
    await expect(fileSystem.write(at('part'), untilCut(), { start: 0, total: bytes.length })).rejects.toBe(cut);
    const offset = await fileSystem.resumeOffset(at('part'), 1_234_567);
    expect(offset).toBe(1_234_567);
    const rest = pieces(bytes.subarray(offset), 50_000);
    expect(await fileSystem.write(at('part'), rest, { start: offset, total: bytes.length })).toBe(bytes.length);
    expect(hash(await readAll(fileSystem, at('part'), 0, bytes.length))).toBe(hash(bytes));
  });

  check('the space is known, or known to be unknown', async (fileSystem, at) => {
    const free = await fileSystem.freeBytes(parentOf(at('x')));
    expect(free === null || free > 0).toBe(true);
  });
}

export async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export async function listAll(fileSystem: FileSystem, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const part of fileSystem.list(path, { withLinkTargets: true })) entries.push(...part);
  return entries;
}

export async function readAll(fileSystem: FileSystem, path: string, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of fileSystem.read(path, { start, end })) parts.push(part);
  return Buffer.concat(parts);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
