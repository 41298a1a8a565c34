import { expect, test } from 'vitest';
import { type UploadEvents, type UploadJob, UploadQueue, type UploadTransport } from './upload-queue.ts';

type Started = { job: UploadJob; events: UploadEvents; isStopped: boolean };

function fakeTransport() {
  const started: Started[] = [];
  const discarded: string[] = [];
  const transport: UploadTransport = {
    start(job, events) {
      const upload = { job, events, isStopped: false };
      started.push(upload);
      return () => {
        upload.isStopped = true;
      };
    },
    discard: (resumeId) => void discarded.push(resumeId),
  };
  const at = (index: number): Started => {
    const found = started[index];
    if (!found) throw new Error(`upload ${index} has not begun`);
    return found;
  };
  return { transport, started, discarded, at };
}

const fileOf = (name: string) => ({ path: `/a/${name}`, file: new File(['12345'], name) });
const statuses = (queue: UploadQueue) => queue.items().map(({ status }) => status);

test('two files are sent at once, the others in their order', () => {
  const queue = new UploadQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  queue.add(['1', '2', '3'].map(fileOf));
  expect(statuses(queue)).toEqual(['running', 'running', 'waiting']);
  at(0).events.onProgress(3);
  expect(queue.items()[0]?.sentBytes).toBe(3);
  at(0).events.onDone();
  expect(statuses(queue)).toEqual(['done', 'running', 'running']);
  expect(started.map(({ job }) => job.path)).toEqual(['/a/1', '/a/2', '/a/3']);
});

test('a paused upload makes room, and later goes on where it was', () => {
  const queue = new UploadQueue();
  const { transport, at } = fakeTransport();
  queue.connect(transport);
  queue.add(['1', '2', '3'].map(fileOf));
  at(0).events.onBegun('begun');
  queue.pause(1);
  expect(at(0).isStopped).toBe(true);
  expect(statuses(queue)).toEqual(['paused', 'running', 'running']);
  at(1).events.onDone();
  queue.resume(1);
  expect(at(3).job).toMatchObject({ path: '/a/1', resumeId: 'begun' });
});

test('what a cut has stopped goes on with the next session, what the target refused does not', () => {
  const queue = new UploadQueue();
  const first = fakeTransport();
  queue.connect(first.transport);
  queue.add(['cut', 'refused', 'running', 'new'].map(fileOf));
  first.at(0).events.onBegun('cut-id');
  first.at(0).events.onFailed({ type: 'cut', text: '断开' });
  first.at(1).events.onFailed({ type: 'refused', text: '没有权限' });
  first.at(2).events.onBegun('running-id');
  queue.connect(undefined);
  expect(first.at(2).isStopped).toBe(true);
  expect(statuses(queue)).toEqual(['failed', 'failed', 'waiting', 'waiting']);

  const second = fakeTransport();
  queue.connect(second.transport);
  expect(second.started.map(({ job }) => [job.path, job.resumeId])).toEqual([
    ['/a/cut', 'cut-id'],
    ['/a/running', 'running-id'],
  ]);
  expect(queue.items()[1]).toMatchObject({ status: 'failed', text: '没有权限' });
});

test('an existing file is replaced only when the user says so', () => {
  const queue = new UploadQueue();
  const { transport, started, at } = fakeTransport();
  queue.connect(transport);
  queue.add([fileOf('1')]);
  at(0).events.onFailed({ type: 'exists', text: '已有' });
  expect(statuses(queue)).toEqual(['exists']);
  expect(started).toHaveLength(1);
  queue.replaceExisting(1);
  expect(at(1).job).toMatchObject({ overwrite: true, resumeId: undefined });
});

test('taking out an unfinished upload deletes what was sent; a finished one stays on the target', () => {
  const queue = new UploadQueue();
  const { transport, discarded, at } = fakeTransport();
  queue.connect(transport);
  queue.add(['1', '2'].map(fileOf));
  at(0).events.onBegun('half');
  at(1).events.onBegun('whole');
  at(1).events.onDone();
  queue.remove(1);
  queue.remove(2);
  expect(at(0).isStopped).toBe(true);
  expect(discarded).toEqual(['half']);
  expect(queue.items()).toEqual([]);
});

test('a finished upload is counted also after it was taken out of the list: its folder is read again', () => {
  const queue = new UploadQueue();
  const { transport, at } = fakeTransport();
  queue.connect(transport);
  queue.add([fileOf('1')]);
  expect(queue.finishedCount()).toBe(0);
  at(0).events.onDone();
  queue.remove(1);
  expect(queue.finishedCount()).toBe(1);
});
