import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { encodeText, nameOfBytes, nameText, type TreeResult } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { TestSession } from '../../testing/test-session.ts';
import { readZip } from './read-zip.ts';
import { jsonOf, startFiles } from './start-files.ts';

/** `folder` on the disk is `path` at the target; `session` opens the target. */
type Opened = AsyncDisposable & { session: TestSession; folder: string; path: string };

const gbk = (text: string): Buffer => Buffer.from(encodeText(text, 'gb18030') ?? []);
const onDisk = (folder: string, ...names: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(folder), ...names.flatMap((name) => [Buffer.from('/'), name])]);
const namesIn = (folder: Buffer): string[] =>
  readdirSync(folder, { encoding: 'buffer' })
    .map((name) => name.toString('hex'))
    .toSorted();

/** Names of a disk that are not UTF-8, against a real server whose names are bytes. */
export function testByteNames(name: string, open: () => Promise<Opened>, { skip }: { skip: boolean }): void {
  test.skipIf(skip)(`${name}: a folder with names in GBK and UTF-8 is listed, read, changed and zipped`, async () => {
    await using opened = await open();
    const { folder, path } = opened;
    const [wire, wireFolder] = [nameOfBytes(gbk('我.txt')), nameOfBytes(gbk('旧文件夹'))];
    writeFileSync(onDisk(folder, Buffer.from('我.txt')), 'UTF-8');
    writeFileSync(onDisk(folder, gbk('我.txt')), 'GBK');
    mkdirSync(onDisk(folder, gbk('旧文件夹')));
    chmodSync(onDisk(folder, gbk('旧文件夹')), 0o777); // a server may have a user of its own
    writeFileSync(onDisk(folder, gbk('旧文件夹'), gbk('内容€.txt')), 'inside');
    await using client = await startFiles(opened.session);

    const { entries } = await client.list(path);
    expect(entries.map((entry) => entry.name).toSorted()).toEqual([wire, wireFolder, '我.txt'].toSorted());
    expect(entries.every(({ usable }) => usable === undefined)).toBe(true);
    expect(nameText(wireFolder, 'auto')).toBe('旧文件夹');
    const content = await client.get('content', { path: `${path}/${wire}` });
    expect(await content.text()).toBe('GBK');
    expect(content.headers.get('content-disposition')).toContain("filename*=UTF-8''%E6%88%91.txt");
    expect(await (await client.get('content', { path: `${path}/我.txt` })).text()).toBe('UTF-8');

    const zip = await client.get('zip', { paths: JSON.stringify([path]), name: 'all' });
    const zipped = [...readZip(Buffer.from(await zip.arrayBuffer())).keys()].map((each) =>
      each.slice(each.indexOf('/') + 1),
    );
    expect(zipped).toEqual(expect.arrayContaining(['我.txt', '我 (2).txt', '旧文件夹/内容€.txt']));

    await jsonOf(await client.post('move', { from: `${path}/${wire}`, to: `${path}/${nameOfBytes(gbk('新名.txt'))}` }));
    await jsonOf(await client.post('copy', { from: `${path}/${wireFolder}`, to: `${path}/副本` }));
    expect(readFileSync(onDisk(folder, Buffer.from('副本'), gbk('内容€.txt')), 'utf8')).toBe('inside');
    const saved = await fetch(client.url('content', { path: `${path}/${wireFolder}/${wire}` }), {
      method: 'PUT',
      body: 'x',
    });
    expect(saved.status).toBe(200);
    expect(namesIn(onDisk(folder, gbk('旧文件夹')))).toEqual(
      [gbk('内容€.txt'), gbk('我.txt')].map((each) => each.toString('hex')).toSorted(),
    );

    const removed = await jsonOf<TreeResult>(
      await client.post('delete', { paths: [`${path}/${wireFolder}`, `${path}/副本`] }),
    );
    expect(removed).toMatchObject({ done: 5, failed_count: 0 });
    expect(namesIn(Buffer.from(folder))).toEqual(
      [gbk('新名.txt'), Buffer.from('我.txt')].map((each) => each.toString('hex')).toSorted(),
    );
    expect(client.bugs).toEqual([]);
  });
}
