import { expect, test, vi } from 'vitest';
import { UploadQueue } from './upload-queue.ts';
import type { UploadEvents, UploadFailure, UploadJob, UploadTransport } from './upload-transport.ts';

type Started = { job: UploadJob; events: UploadEvents; isStopped: boolean };

const cut: UploadFailure = { type: 'cut', text: '断开' };
const LARGE = 2_000_000;

function fakeTransport(createFolder: UploadTransport['createFolder'] = async () => undefined) {
  const started: Started[] = [];
  const discarded: string[] = [];
  const folders: string[] = [];
  const transport: UploadTransport = {
    start(job, events) {
      const upload = { job, events, isStopped: false };
      started.push(upload);
      return () => {
        upload.isStopped = true;
      };
    },
    createFolder: async (path) => {
      folders.push(path);
      return await createFolder(path);
    },
    discard: (resumeId) => void discarded.push(resumeId),
  };
  const at = (index: number): Started => {
    const found = started[index];
    if (!found) throw new Error(`upload ${index} has not begun`);
    return found;
  };
  return { transport, started, discarded, folders, at };
}

/** A clock that the test moves on. */
function fakeClock() {
  let monotonicMs = 0;
  let timers: { atMs: number; run: () => void }[] = [];
  return {
    monotonicMs: () => monotonicMs,
    after(delayMs: number, run: () => void) {
      const timer = { atMs: monotonicMs + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    pass(ms: number) {
      monotonicMs += ms;
      const due = timers.filter(({ atMs }) => atMs <= monotonicMs);
      timers = timers.filter(({ atMs }) => atMs > monotonicMs);
      for (const { run } of due) run();
    },
  };
}

function openQueue(clock = fakeClock()) {
  const queue = new UploadQueue(clock);
  const add = (names: readonly string[], size = LARGE) =>
    queue.add({ files: names.map((name) => ({ path: `/a/${name}`, file: new File([], name), size })) }, '/a');
  /** By id: the order in which they were added. */
  const statuses = () => {
    clock.pass(1_000);
    return [...queue.rows()].sort((left, right) => left.id - right.id).map(({ status }) => status);
  };
  return { queue, clock, add, statuses };
}

test('two large files are sent at once, the others in their order', () => {
  const { queue, clock, add, statuses } = openQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  add(['1', '2', '3']);
  expect(statuses()).toEqual(['running', 'running', 'waiting']);
  at(0).events.onProgress(3);
  clock.pass(1_000);
  expect(queue.view().sentBytes).toBe(3);
  at(0).events.onDone();
  expect(statuses()).toEqual(['done', 'running', 'running']);
  expect(started.map(({ job }) => job.path)).toEqual(['/a/1', '/a/2', '/a/3']);
});

test('six small files are sent at once, but none beside two large ones', () => {
  const { queue, add } = openQueue();
  const { transport, started } = fakeTransport();
  queue.connect(transport);
  add(
    Array.from({ length: 20 }, (_, index) => `small ${index}`),
    2_000,
  );
  expect(started).toHaveLength(6);
  for (const { events } of started.slice(0, 6)) events.onDone();
  expect(started).toHaveLength(12);
  queue.removeAll('all');
  add(['large 1', 'large 2']);
  add(['small'], 2_000);
  expect(started.slice(12).map(({ job }) => job.path)).toEqual(['/a/large 1', '/a/large 2']);
});

test('20 000 small files are a few notifications, and their list is not walked for each', () => {
  const { queue, clock, add } = openQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  const notified = vi.fn<() => void>();
  queue.subscribe(notified);
  add(
    Array.from({ length: 20_000 }, (_, index) => String(index)),
    1_000,
  );
  expect(notified).toHaveBeenCalledTimes(1);
  const rows = vi.spyOn(Array.prototype, 'push');
  for (let index = 0; index < 20_000; index++) at(index).events.onDone();
  const pushed = rows.mock.calls.length;
  rows.mockRestore();
  expect(pushed).toBeLessThan(40_000); // those of this test itself
  expect(notified).toHaveBeenCalledTimes(1);
  clock.pass(200);
  expect(notified).toHaveBeenCalledTimes(2);
  expect(started).toHaveLength(20_000);
  expect(queue.view()).toMatchObject({ count: 20_000, bytes: 20_000_000, sentBytes: 20_000_000 });
  expect(queue.view().counts.done).toBe(20_000);
  expect(queue.isBusy()).toBe(false);
});

test('what the user does is seen at once', () => {
  const { queue, add } = openQueue();
  const { transport } = fakeTransport();
  queue.connect(transport);
  add(['1', '2', '3']);
  const notified = vi.fn<() => void>();
  queue.subscribe(notified);
  queue.pauseAll();
  expect(notified).toHaveBeenCalledTimes(1);
  expect(queue.view().counts).toMatchObject({ running: 0, waiting: 0, paused: 3 });
  queue.resumeAll('paused');
  expect(queue.view().counts).toMatchObject({ running: 2, waiting: 1, paused: 0 });
});

test('a paused upload makes room, and later goes on where it was', () => {
  const { queue, add, statuses } = openQueue();
  const { transport, at } = fakeTransport();
  queue.connect(transport);
  add(['1', '2', '3']);
  at(0).events.onBegun('begun');
  queue.pause(1);
  expect(at(0).isStopped).toBe(true);
  expect(statuses()).toEqual(['paused', 'running', 'running']);
  at(1).events.onDone();
  queue.resume(1);
  expect(at(3).job).toMatchObject({ path: '/a/1', resumeId: 'begun' });
});

test('after a cut nothing fails: one upload at a time finds out when the way is there again, and then all go on', () => {
  const { queue, clock, add, statuses } = openQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  add(['1', '2', '3', '4'], 1_000);
  for (const { events } of [...started]) events.onFailed(cut);
  expect(queue.view().isCut).toBe(false); // it is shown with the next notification
  clock.pass(200);
  expect(queue.view().isCut).toBe(true);
  expect(started).toHaveLength(4);
  clock.pass(800);
  expect(started).toHaveLength(5);
  at(4).events.onFailed(cut);
  clock.pass(20_000);
  expect(started).toHaveLength(6);
  at(5).events.onDone();
  expect(statuses().toSorted()).toEqual(['done', 'running', 'running', 'running']);
  expect(queue.view().isCut).toBe(false);
});

test('a file that loses the way to the target each time does not hold up the others, and fails in the end', () => {
  const { queue, clock, add } = openQueue();
  const { transport, started } = fakeTransport();
  queue.connect(transport);
  add(['bad', 'good'], 1_000);
  for (let tries = 0; tries < 20; tries++) {
    const upload = started.at(-1);
    if (upload?.job.path === '/a/bad') upload.events.onFailed({ ...cut, isAnswered: true });
    else upload?.events.onDone();
    if (tries === 0) started[0]?.events.onFailed({ ...cut, isAnswered: true });
    clock.pass(20_000);
  }
  expect(queue.view().counts).toMatchObject({ done: 1, failed: 1, waiting: 0, running: 0 });
});

test('what ran goes on in the next session, what the target refused does not; both are counted', () => {
  const { queue, add, statuses } = openQueue();
  const first = fakeTransport();
  queue.connect(first.transport);
  add(['refused', 'running', 'new', 'newer']);
  first.at(0).events.onFailed({ type: 'refused', text: '没有权限' });
  first.at(1).events.onBegun('running-id');
  queue.connect(undefined);
  expect(first.at(1).isStopped).toBe(true);
  expect(statuses()).toEqual(['failed', 'waiting', 'waiting', 'waiting']);

  const second = fakeTransport();
  queue.connect(second.transport);
  expect(second.started.map(({ job }) => [job.path, job.resumeId])).toEqual([
    ['/a/running', 'running-id'],
    ['/a/new', undefined],
  ]);
  expect(queue.rows()[0]).toMatchObject({ status: 'failed', text: '没有权限' });
  queue.resumeAll('failed');
  expect(queue.view().counts.failed).toBe(0);
});

test('an existing file is replaced only when the user says so', () => {
  const { queue, add, statuses } = openQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  add(['1']);
  at(0).events.onFailed({ type: 'exists', text: '已有' });
  expect(statuses()).toEqual(['exists']);
  expect(started).toHaveLength(1);
  queue.replaceExisting(1);
  expect(at(1).job).toMatchObject({ overwrite: true, resumeId: undefined });
  // A folder is not replaced by a file.
  at(1).events.onFailed({ type: 'exists', text: '已有' });
  expect(statuses()).toEqual(['failed']);
});

test.each(['replace', 'skip'] as const)(
  'one answer (%s) holds for all that exist, also for those to come',
  (answer) => {
    const { queue, add } = openQueue();
    const { transport, started, at } = fakeTransport();
    queue.connect(transport);
    add(['1', '2', '3']);
    at(0).events.onFailed({ type: 'exists', text: '已有' });
    queue.answerExisting(answer);
    at(1).events.onFailed({ type: 'exists', text: '已有' });
    at(2).events.onFailed({ type: 'exists', text: '已有' });
    for (const { job, events } of [...started.slice(3)]) if (job.overwrite) events.onDone();
    for (const { job, events } of [...started.slice(3)]) if (job.overwrite) events.onDone();
    queue.pauseAll(); // publishes
    expect(queue.view()).toMatchObject({ count: answer === 'skip' ? 0 : 3 });
    expect(queue.view().counts.done).toBe(answer === 'skip' ? 0 : 3);
    // The next choice is asked about again.
    add(['4']);
    started.at(-1)?.events.onFailed({ type: 'exists', text: '已有' });
    queue.pauseAll();
    expect(queue.view().counts.exists).toBe(1);
  },
);

test('an answer for all that exist does not hold for what is chosen after it', () => {
  const { queue, add, statuses } = openQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  add(['1', '2']);
  at(0).events.onFailed({ type: 'exists', text: '已有' });
  queue.answerExisting('replace');
  add(['3']);
  at(1).events.onDone();
  at(2).events.onDone();
  expect(started.map(({ job }) => [job.path, job.overwrite])).toEqual([
    ['/a/1', false],
    ['/a/2', false],
    ['/a/1', true],
    ['/a/3', false],
  ]);
  at(3).events.onFailed({ type: 'exists', text: '已有' });
  expect(statuses()).toEqual(['done', 'done', 'exists']);
});

test('taking out an unfinished upload deletes what was sent; a finished one stays on the target', () => {
  const { queue, add } = openQueue();
  const { transport, discarded, at } = fakeTransport();
  queue.connect(transport);
  add(['1', '2', '3']);
  at(0).events.onBegun('half');
  at(1).events.onBegun('whole');
  at(1).events.onDone();
  queue.removeAll('unfinished');
  expect(at(0).isStopped).toBe(true);
  expect(discarded).toEqual(['half']);
  expect(queue.rows().map(({ path }) => path)).toEqual(['/a/2']);
  queue.removeAll('all');
  expect(queue.view().count).toBe(0);
});

test('each folder is created once, before what lies in it, and an empty one too', async () => {
  const { queue } = openQueue();
  const { transport, started, folders } = fakeTransport();
  queue.connect(transport);
  const file = (path: string) => ({ path, file: new File([], 'x'), size: 1 });
  queue.add({ files: ['/a/b/1', '/a/b/c/2', '/a/b/3', '/a/4'].map(file), emptyFolders: ['/a/empty/inside'] }, '/a');
  await vi.waitFor(() => expect(started).toHaveLength(4));
  for (const { events } of started) events.onDone();
  await vi.waitFor(() => expect(folders).toEqual(['/a/b', '/a/empty', '/a/b/c', '/a/empty/inside']));
  queue.pauseAll();
  expect(queue.view().counts.done).toBe(5);
  expect([...queue.takeChangedFolders()].toSorted()).toEqual(['/a', '/a/b', '/a/b/c', '/a/empty']);
});

test('what lies in a folder that is refused is listed with the reason, the rest goes on', async () => {
  const { queue } = openQueue();
  const refused: UploadFailure = { type: 'refused', text: '没有权限' };
  const { transport, started, folders } = fakeTransport(async (path) => (path === '/a/closed' ? refused : undefined));
  queue.connect(transport);
  const file = (path: string) => ({ path, file: new File([], 'x'), size: 1 });
  queue.add({ files: ['/a/closed/1', '/a/closed/in/2', '/a/open/3'].map(file), unreadable: ['/a/locked'] }, '/a');
  await vi.waitFor(() => expect(started).toHaveLength(1));
  started[0]?.events.onDone();
  queue.pauseAll();
  expect(queue.view().counts).toMatchObject({ failed: 3, done: 1 });
  expect(folders).toEqual(['/a/closed', '/a/open']);
  expect(queue.rows().find(({ path }) => path === '/a/closed/in/2')?.text).toBe('没有权限');
});

test('a folder that was deleted on the target is created again for what is tried again', async () => {
  const { queue, clock } = openQueue();
  const { transport, folders, at } = fakeTransport();
  queue.connect(transport);
  queue.add({ files: [{ path: '/a/b/1', file: new File([], '1'), size: 1 }] }, '/a');
  await vi.waitFor(() => expect(at(0).job.path).toBe('/a/b/1'));
  at(0).events.onFailed({ type: 'refused', text: '没有' });
  clock.pass(1_000);
  queue.resumeAll('failed');
  await vi.waitFor(() => expect(at(1).job.path).toBe('/a/b/1'));
  expect(folders).toEqual(['/a/b', '/a/b']);
});
