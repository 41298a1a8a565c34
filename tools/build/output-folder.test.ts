import { mkdir, mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readOutputHash, replaceOutput } from './output-folder.ts';
import { hashSources } from './source-hash.ts';

const makeRoot = () => mkdtemp(path.join(tmpdir(), 'tongtu-build-'));
const put = (text: string) => (draft: string) => writeFile(path.join(draft, 'file'), text);

test('an output is replaced as a whole, without leftovers', async () => {
  const root = await makeRoot();
  const dist = path.join(root, 'dist');
  expect(await readOutputHash(dist)).toBeUndefined();
  await replaceOutput(dist, 'one', put('1'));
  await replaceOutput(dist, 'two', put('2'));
  expect(await readOutputHash(dist)).toBe('two');
  expect(await readFile(path.join(dist, 'file'), 'utf8')).toBe('2');
  expect(await readdir(root)).toEqual(['dist']);
});

test('a build that fails leaves the last good output', async () => {
  const root = await makeRoot();
  const dist = path.join(root, 'dist');
  await replaceOutput(dist, 'one', put('1'));
  await expect(replaceOutput(dist, 'two', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readOutputHash(dist)).toBe('one');
  expect(await readdir(root)).toEqual(['dist']);
});

test('the draft of a killed build is removed, and that of a running build is not', async () => {
  const root = await makeRoot();
  await mkdir(path.join(root, 'dist.0ld'));
  await utimes(path.join(root, 'dist.0ld'), 0, 0);
  await mkdir(path.join(root, 'dist.new'));
  await replaceOutput(path.join(root, 'dist'), 'one', put('1'));
  expect(await readdir(root)).toEqual(['dist', 'dist.new']);
});

test('builds that finish at the same time leave one complete output', async () => {
  const root = await makeRoot();
  const dist = path.join(root, 'dist');
  await Promise.all(Array.from({ length: 8 }, () => replaceOutput(dist, 'same', put('same'))));
  expect(await readOutputHash(dist)).toBe('same');
  expect(await readdir(root)).toEqual(['dist']);
});

test('the hash depends on contents and names, not on tests or outputs', async () => {
  const root = await makeRoot();
  const hash = () => hashSources(root, ['src', 'lock']);
  await mkdir(path.join(root, 'src/dist'), { recursive: true });
  await mkdir(path.join(root, 'src/dist.1a2b3c4d'));
  await writeFile(path.join(root, 'lock'), 'lock');
  await writeFile(path.join(root, 'src/a.ts'), 'a');
  const first = hash();
  await writeFile(path.join(root, 'src/a.test.ts'), 'test');
  await writeFile(path.join(root, 'src/dist/a.js'), 'output');
  await writeFile(path.join(root, 'src/dist.1a2b3c4d/a.js'), 'draft');
  expect(hash()).toBe(first);
  await writeFile(path.join(root, 'src/a.ts'), 'b');
  const second = hash();
  await writeFile(path.join(root, 'src/b.ts'), '');
  expect(new Set([first, second, hash()]).size).toBe(3);
});
