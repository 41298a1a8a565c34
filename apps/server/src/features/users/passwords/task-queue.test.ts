import { expect, test } from 'vitest';
import { TaskQueue, type TaskQueueLimits } from './task-queue.ts';

/** A queue of tasks that run until the test ends them; `started` lists their names in the order of their start. */
function openQueue(limits: Partial<TaskQueueLimits> = {}) {
  const queue = new TaskQueue({ maxRunning: 1, maxWaitingPerOwner: 10, maxWaiting: 100, ...limits });
  const started: string[] = [];
  const tasks = new Map<string, PromiseWithResolvers<string>>();
  const run = async (owner: string, name: string): Promise<string> => {
    const task = Promise.withResolvers<string>();
    tasks.set(name, task);
    return await queue.run(owner, async () => {
      started.push(name);
      return await task.promise;
    });
  };
  const settle = async () => await new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    run,
    settle,
    finish: async (name: string) => {
      tasks.get(name)?.resolve(name);
      await settle();
    },
    fail: async (name: string) => {
      tasks.get(name)?.reject(new Error(name));
      await settle();
    },
  };
}

test('no more than the maximum of tasks run at once, and the rest run in turn', async () => {
  const { started, run, settle, finish } = openQueue({ maxRunning: 2 });
  const done = Promise.all([run('li', 'a'), run('wang', 'b'), run('zhao', 'c')]);
  await settle();
  expect(started).toEqual(['a', 'b']);

  await finish('b');
  expect(started).toEqual(['a', 'b', 'c']);
  await finish('a');
  await finish('c');
  expect(await done).toEqual(['a', 'b', 'c']);
});

test('one owner has one running task at a time even when there is room for more', async () => {
  const { started, run, settle, finish } = openQueue({ maxRunning: 2 });
  void run('li', 'a1');
  void run('li', 'a2');
  void run('wang', 'b');
  await settle();
  expect(started).toEqual(['a1', 'b']);

  await finish('a1');
  expect(started).toEqual(['a1', 'b', 'a2']);
});

test('an owner’s task waits for only one task of an owner who queued many', async () => {
  const { started, run, settle, finish } = openQueue();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void run('li', name);
  void run('wang', 'b');
  await settle();

  for (const name of ['a1', 'a2', 'b']) await finish(name);
  expect(started).toEqual(['a1', 'a2', 'b', 'a3']);
});

test('an owner with too many waiting tasks is refused at once, and another owner is not', async () => {
  const { started, run, settle, finish } = openQueue({ maxWaitingPerOwner: 2 });
  for (const name of ['a1', 'a2', 'a3']) void run('li', name);
  await settle();
  await expect(run('li', 'a4')).rejects.toMatchObject({ code: 'request.too-many', retryAfterSeconds: 1 });

  void run('wang', 'b');
  for (const name of ['a1', 'a2', 'b', 'a3']) await finish(name);
  expect(started).toEqual(['a1', 'a2', 'b', 'a3']);
});

test('every owner is refused while the queue is full, and none after that', async () => {
  const { started, run, settle, finish } = openQueue({ maxWaiting: 1 });
  void run('li', 'a');
  void run('wang', 'b');
  await settle();
  await expect(run('zhao', 'c')).rejects.toMatchObject({ code: 'request.too-many' });

  await finish('a');
  await finish('b');
  void run('zhao', 'd');
  await settle();
  expect(started).toEqual(['a', 'b', 'd']);
});

test('a failed task lets the next one start', async () => {
  const { started, run, settle, fail } = openQueue();
  const failed = Promise.allSettled([run('li', 'a')]);
  void run('wang', 'b');
  await settle();

  await fail('a');
  expect(await failed).toMatchObject([{ status: 'rejected' }]);
  expect(started).toEqual(['a', 'b']);
});
