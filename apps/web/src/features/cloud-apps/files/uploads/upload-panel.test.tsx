import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../../testing/show.tsx';
import { UploadPanel } from './upload-panel.tsx';
import { UploadQueue } from './upload-queue.ts';
import type { UploadEvents } from './upload-transport.ts';

afterEach(cleanup);

function showUploads(count: number) {
  const queue = new UploadQueue();
  const started: UploadEvents[] = [];
  queue.connect({
    start(_job, events) {
      started.push(events);
      return () => {};
    },
    createFolder: async () => undefined,
    discard: () => {},
  });
  const names = Array.from({ length: count }, (_, index) => `文件 ${index}`);
  queue.add({ files: names.map((name) => ({ path: `/${name}`, file: new File([], name), size: 2_048 })) }, '/');
  show(<UploadPanel queue={queue} />, {});
  return { queue, started };
}

test('of 5 000 uploads only the rows in sight are in the document, and the failed ones come first', () => {
  const { queue, started } = showUploads(5_000);
  screen.getByText('上传 0/5000');
  expect(screen.getAllByRole('listitem').length).toBeLessThan(40);
  act(() => {
    started[3]?.onFailed({ type: 'refused', text: '没有权限' });
    started[4]?.onFailed({ type: 'refused', text: '磁盘已满' });
    started[0]?.onDone();
    queue.pauseAll(); // what the user does is seen at once
  });
  const [first] = screen.getAllByRole('listitem');
  within(first ?? document.body).getByText('没有权限');
  screen.getByText('2 项失败');
  screen.getByText('上传 1/5000');
  screen.getByText('2.0 KB / 9.8 MB');
  fireEvent.click(screen.getByRole('button', { name: '重试失败的' }));
  expect(queue.view().counts).toMatchObject({ failed: 0, running: 2, paused: 4_997, done: 1 });
});

test('all are cancelled only after a question', async () => {
  const { queue, started } = showUploads(3);
  started[0]?.onDone();
  await screen.findByText('上传 1/3');
  fireEvent.click(screen.getByRole('button', { name: '全部取消' }));
  screen.getByText('还没有传完的 2 项会取消，已经传完的不受影响。');
  expect(queue.view().count).toBe(3);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '全部取消' }));
  expect(queue.view()).toMatchObject({ count: 1 });
  screen.getByText('上传完成 1 项');
});

test('the list is closed at once when all is done, and otherwise only after a question', async () => {
  const { queue, started } = showUploads(2);
  started[0]?.onDone();
  started[1]?.onFailed({ type: 'exists', text: '已有' });
  await screen.findByText('上传 1/2');
  expect(queue.isUnfinished()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '关闭上传列表' }));
  screen.getByText('1 个文件已有同名的，还没有选择替换还是跳过。关闭后，这些文件不会再上传。');
  fireEvent.click(screen.getByRole('button', { name: '返回' }));
  fireEvent.click(screen.getByRole('button', { name: '替换' }));
  started[2]?.onDone();
  await screen.findByText('上传完成 2 项');
  expect(queue.isUnfinished()).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: '关闭上传列表' }));
  expect(queue.view().count).toBe(0);
});
