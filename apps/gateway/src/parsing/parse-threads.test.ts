import { afterEach, expect, test, vi } from 'vitest';
import type { MultistatusEnd, MultistatusPart } from '../files/webdav/multistatus-reader.ts';
import { ParseThreads } from './parse-threads.ts';

const resource = (href: string, properties = ''): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${properties}</D:prop></D:propstat></D:response>`;
const BEGIN = '<D:multistatus xmlns:D="DAV:">';
const END = '</D:multistatus>';
const folder = resource('/dav/', '<D:resourcetype><D:collection/></D:resourcetype>');

async function read(threads: ParseThreads, text: string): Promise<{ names: string[]; folder: MultistatusEnd }> {
  using reader = threads.open<MultistatusPart, MultistatusEnd>('multistatus', 1);
  const parts = await reader.write(Buffer.from(text));
  return { names: parts.flat().map(({ name }) => name), folder: await reader.end() };
}

test('a list is read in a thread, with the folder itself wherever it stands', async () => {
  using threads = new ParseThreads();
  const files = [resource('/dav/a'), resource('/dav/b')];
  for (const list of [
    [folder, ...files],
    [...files, folder],
    [files[0], folder, files[1]],
  ]) {
    const { names, folder: found } = await read(threads, BEGIN + list.join('') + END);
    expect(names.sort()).toEqual(['a', 'b']);
    expect(found).toMatchObject({ type: 'folder' });
  }
});

test.each([
  ['a name', `${BEGIN}<D:response><D:href>/${'n'.repeat(100_000)}`],
  ['a tag', `${BEGIN}<${'n'.repeat(100_000)}`],
  ['the attributes of a tag', `${BEGIN}<a${' b="c"'.repeat(20_000)}`],
  ['a comment', `${BEGIN}<!--${'n'.repeat(100_000)}`],
  ['a document type', `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(10_000)}`],
  ['a text in many parts', `${BEGIN}<a>${'<![CDATA[nnnnnnnnnn]]>'.repeat(10_000)}`],
  ['the elements around an element', `${BEGIN}${'<a>'.repeat(100)}`],
  ['the name of an element', `${BEGIN}<${'n'.repeat(1_000)}>`],
  ['the hosts of what comes before the folder', BEGIN + resource(`http://${'h'.repeat(60_000)}/a`).repeat(10)],
  ['what comes before the folder', `${BEGIN}${resource('/a/b').repeat(1_100)}`],
])('%s without end is refused before it is held', async (_what, text) => {
  using threads = new ParseThreads();
  using reader = threads.open('multistatus', 1);
  await expect(reader.write(Buffer.from(text))).rejects.toMatchObject({ code: 'protocol' });
});

test('the attributes of open elements are not kept: many readers would fill their thread with them', async () => {
  using threads = new ParseThreads({ maxHeapMb: 32 });
  const attributes = Array.from({ length: 8_000 }, (_, index) => `a${index.toString(36)}=""`).join(' ');
  const list = Buffer.from(BEGIN + `<a ${attributes}>`.repeat(28));
  const readers = Array.from({ length: 4 }, () => threads.open('multistatus', 1));
  for (const reader of readers) await reader.write(list); // 11 MB each, if it were kept
  for (const reader of readers) reader[Symbol.dispose]();
});

test('an account with many lists does not keep another waiting, nor where they share a thread', async () => {
  using threads = new ParseThreads();
  const long = Buffer.from(BEGIN + folder + resource('/dav/x').repeat(5_000));
  const done: string[] = [];
  const readers = Array.from({ length: 20 }, () => threads.open('multistatus', 1));
  const others = Array.from({ length: 10 }, (_, index) => threads.open('multistatus', 2 + index));
  const all = readers.map(async (reader) => done.push((await reader.write(long), 'many')));
  await Promise.all(others.map(async (reader) => await reader.write(Buffer.from(BEGIN))));
  done.push('others');
  await Promise.all(all);
  expect(done.indexOf('others')).toBeLessThan(10);
  for (const reader of [...readers, ...others]) reader[Symbol.dispose]();
});

test('a list on which a thread hangs is refused, and what the account reads besides is lost, but not what others do', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  using threads = new ParseThreads();
  using innocent = threads.open<MultistatusPart, MultistatusEnd>('multistatus', 1);
  await innocent.write(Buffer.from(BEGIN + folder));
  using hostile = threads.open('multistatus', 2);
  using besides = threads.open('multistatus', 2);
  const answers = Promise.allSettled([hostile, besides].map(async (reader) => await reader.write(Buffer.from(BEGIN))));

  vi.advanceTimersByTime(30_000);

  const [refused, lost] = await answers;
  expect(refused).toMatchObject({ reason: { code: 'protocol' } });
  expect(lost).toMatchObject({ reason: { code: 'lost' } });
  const [entries] = await innocent.write(Buffer.from(resource('/dav/x') + END));
  expect(entries).toMatchObject([{ name: 'x' }]);
  expect(await innocent.end()).toMatchObject({ type: 'folder' });
});

afterEach(() => {
  vi.useRealTimers();
});

test('after the end of a thread the next list gets another one', async () => {
  using threads = new ParseThreads();
  using reader = threads.open('multistatus', 1);
  await reader.write(Buffer.from(BEGIN));
  threads[Symbol.dispose]();
  await expect(reader.write(Buffer.from(folder))).rejects.toMatchObject({ code: 'lost' });
  expect((await read(threads, BEGIN + folder + resource('/dav/x') + END)).names).toEqual(['x']);
});
