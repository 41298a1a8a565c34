import { expect, test, vi } from 'vitest';
import type { Priority } from '../../codecs/http/priority.ts';
import { AnswerScheduler, type AnswerStream } from './answer-scheduler.ts';

const KB = 1024;
const SHARE_BYTES = 64 * KB;

/** A session whose socket writes only when the test says so. */
function openSession() {
  const scheduler = new AnswerScheduler({ shareBytes: SHARE_BYTES, add() {} });
  /** What the library has, in its order. */
  const written: { name: string; bytes: number; done: () => void }[] = [];
  const log: string[] = [];
  let id = -1;
  const open = (name: string, priority: Priority) => {
    const stream = {
      id: (id += 2),
      cork() {},
      uncork() {},
      write(chunk: Buffer, done = () => {}) {
        written.push({ name, bytes: chunk.length, done });
        return true;
      },
      end: () => log.push(`${name} ended`),
    };
    const answer = scheduler.open(stream as unknown as AnswerStream, {
      onSent: () => {},
      onDrain: () => log.push(`${name} drained`),
    });
    answer.priority = priority;
    return answer;
  };
  /** Lets the socket write all that it has, again and again; `except`: streams whose visitor does not read. */
  const flush = async (except: string[] = []) => {
    for (;;) {
      const ready = written.filter(({ name, done }) => !except.includes(name) && !finished.has(done));
      if (ready.length === 0) return;
      for (const { done } of ready) {
        finished.add(done);
        done();
      }
      await turn();
    }
  };
  const finished = new Set<() => void>();
  const order = () => written.map(({ name }) => name).filter((name, at, all) => name !== all[at - 1]);
  /** `until`: the last write of that answer. */
  const bytesOf = (wanted: string, { until }: { until?: string } = {}) => {
    const end = until === undefined ? written.length : written.findLastIndex(({ name }) => name === until);
    return written
      .slice(0, end)
      .filter(({ name }) => name === wanted)
      .reduce((sum, { bytes }) => sum + bytes, 0);
  };
  return { scheduler, open, written, log, flush, order, bytesOf };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const image = { urgency: 3, isIncremental: true };
const script = { urgency: 1, isIncremental: false };

test('an urgent answer gets three quarters beside one that came earlier', async () => {
  const session = openSession();
  session.open('image', image).write(Buffer.alloc(900 * KB));
  await turn();
  session.open('script', script).write(Buffer.alloc(300 * KB));
  await turn();
  expect(session.bytesOf('image')).toBe((SHARE_BYTES * 3) / 4);
  await session.flush();
  expect(session.bytesOf('image', { until: 'script' })).toBeLessThan((300 / 3 + 64) * KB);
  expect(session.bytesOf('image')).toBe(900 * KB);
});

test('answers of which a part is of use take turns', async () => {
  const session = openSession();
  for (const name of ['a', 'b']) session.open(name, image).write(Buffer.alloc(100 * KB));
  await turn();
  await session.flush();
  expect(session.order().slice(0, 5)).toEqual(['a', 'b', 'a', 'b', 'a']);
  expect(session.bytesOf('b', { until: 'a' })).toBeGreaterThan(80 * KB);
});

test('others are sent one after the other', async () => {
  const session = openSession();
  for (const name of ['a', 'b']) session.open(name, script).write(Buffer.alloc(300 * KB));
  await turn();
  await session.flush();
  expect(session.bytesOf('b', { until: 'a' })).toBeLessThan((300 / 3 + 64) * KB);
});

test('a long download fills what others leave, however urgent it was asked for', async () => {
  const session = openSession();
  const download = session.open('download', { urgency: 0, isIncremental: true });
  download.write(Buffer.alloc(3 * KB * KB));
  await turn();
  await session.flush();
  download.write(Buffer.alloc(900 * KB));
  session.open('image', { urgency: 5, isIncremental: true }).write(Buffer.alloc(300 * KB));
  await turn();
  await session.flush();
  expect(session.bytesOf('download', { until: 'image' })).toBeLessThan((3 * KB + 300 / 3 + 64) * KB);
  expect(session.bytesOf('download')).toBe((3 * KB + 900) * KB);
});

test('a small answer waits for no turn', async () => {
  const session = openSession();
  session.open('image', image).write(Buffer.alloc(500 * KB));
  await turn();
  const small = session.open('small', { urgency: 7, isIncremental: true });
  expect(small.write(Buffer.alloc(KB))).toBe(true);
  small.end(() => {});
  expect(session.order()).toEqual(['image', 'small']);
  expect(session.log).toEqual(['small ended']);
});

test('answers whose visitor does not read them stop no other', async () => {
  const session = openSession();
  const stalled = ['a', 'b', 'c', 'd', 'e'];
  for (const name of stalled) session.open(name, { urgency: 0, isIncremental: true }).write(Buffer.alloc(500 * KB));
  session.open('other', image).write(Buffer.alloc(300 * KB));
  await turn();
  await session.flush(stalled);
  expect(session.bytesOf('other')).toBe(0);
  // Two seconds: none has made progress in the second one.
  for (let second = 0; second < 3; second++) {
    session.scheduler.sweep();
    await turn();
    await session.flush(stalled);
  }
  expect(session.bytesOf('other')).toBe(300 * KB);
  // One write of each, and no more.
  expect(session.written.filter(({ name }) => name === 'a')).toHaveLength(1);
});

test('one answer that is not read leaves room for others at once', async () => {
  const session = openSession();
  session.open('stalled', { urgency: 0, isIncremental: true }).write(Buffer.alloc(500 * KB));
  await turn();
  session.open('other', image).write(Buffer.alloc(300 * KB));
  await turn();
  await session.flush(['stalled']);
  expect(session.bytesOf('other')).toBe(300 * KB);
});

test('between two writes the library reads: a visitor’s next request does not wait for the end of a download', async () => {
  const session = openSession();
  session.open('download', image).write(Buffer.alloc(500 * KB));
  await turn();
  const count = session.written.length;
  session.written.at(-1)?.done();
  expect(session.written).toHaveLength(count);
  await turn();
  expect(session.written).toHaveLength(count + 1);
});

test('the end follows the last byte, and a closed stream sends nothing more', async () => {
  const session = openSession();
  const answer = session.open('a', image);
  const onEnd = vi.fn<() => void>();
  expect(answer.write(Buffer.alloc(200 * KB))).toBe(false);
  answer.end(onEnd);
  const closed = session.open('closed', image);
  closed.write(Buffer.alloc(200 * KB));
  await turn();
  closed.dispose();
  const bytes = session.bytesOf('closed');
  expect(onEnd).not.toHaveBeenCalled();
  await session.flush(['closed']);
  expect(onEnd).toHaveBeenCalledOnce();
  expect(session.log).toEqual(['a ended', 'a drained']);
  expect(session.bytesOf('closed')).toBe(bytes);
});
