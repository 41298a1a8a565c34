import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Device } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { DeviceList } from '../device-list.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const deviceNamed = (id: number, name: string, group: string): Device =>
  deviceOf({ id, uid: `00000000000${id}`, name, group });
const devices = [
  deviceNamed(1, '东一', '东区'),
  deviceNamed(2, '东二', '东区'),
  deviceNamed(3, '西一', '西区'),
  deviceNamed(4, '散一', ''),
];

function open(answers: Record<string, () => unknown> = {}) {
  const onOpen = vi.fn<(dialog: DeviceDialog) => void>();
  const all = show(<DeviceList devices={devices} highlightedDomain="" onOpen={onOpen} />, answers);
  return { onOpen, changes: () => all.filter(({ key }) => key.startsWith('PATCH')) };
}

const names = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));
const chosenNames = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter((box) => box.checked && box.getAttribute('aria-label')?.startsWith('选择“') === true)
    .map((box) => box.getAttribute('aria-label'));
const box = (name: string) => screen.getByRole('checkbox', { name });

async function startChoosing() {
  fireEvent.click(screen.getByRole('button', { name: /批量管理/ }));
  await screen.findByRole('region', { name: '批量操作' });
  await screen.findByRole('checkbox', { name: '选择“东一”' });
  await screen.findByRole('checkbox', { name: /选择分组“东区”/ });
}

test('devices are listed by group, those without one last, and a folded group outlasts the page', async () => {
  open();
  await screen.findByRole('button', { name: '展开或收起分组“东区”' });
  expect(names()).toEqual(['东二', '东一', '西一', '散一']);
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toContain('东区');
  fireEvent.click(screen.getByRole('button', { name: '展开或收起分组“东区”' }));
  expect(names()).toEqual(['西一', '散一']);
  cleanup();
  open();
  expect(names()).toEqual(['西一', '散一']);
});

test('a group is renamed by one call for all of its devices', async () => {
  const { changes } = open({ 'PATCH /api/user/routers/': () => ({ done: [1, 2], refused: [] }) });
  fireEvent.click((await screen.findAllByRole('button', { name: /分组名称/ }))[0] as HTMLElement);
  const field = screen.getByRole('textbox', { name: '分组名称' });
  fireEvent.change(field, { target: { value: '东北' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(changes()).toHaveLength(1));
  expect(changes()[0]?.input).toEqual({ body: { group: '东北', ids: expect.arrayContaining([1, 2]) } });
});

test('devices are chosen one by one, as a range, by group, and all that are shown', async () => {
  open();
  await startChoosing();
  fireEvent.click(box('选择“东一”'));
  fireEvent.click(box('选择“散一”'), { shiftKey: true });
  expect(chosenNames()).toEqual(['选择“东一”', '选择“西一”', '选择“散一”']);
  fireEvent.click(box('选择分组“东区”的全部设备'));
  expect(screen.getByRole('status').textContent).toBe('已选 4 台');
  fireEvent.click(box('取消全选'));
  expect(chosenNames()).toEqual([]);
});

test('what could not be changed is reported with its reason', async () => {
  const refusal = { id: 3, code: 'device.suspended', detail: '已被管理员停用' };
  const { changes, onOpen } = open({ 'PATCH /api/user/routers/': () => ({ done: [1], refused: [refusal] }) });
  await startChoosing();
  fireEvent.click(box('选择“东一”'));
  fireEvent.click(box('选择“西一”'));
  const bar = within(screen.getByRole('region', { name: '批量操作' }));
  fireEvent.click(bar.getByRole('button', { name: '启用' }));
  await waitFor(() => expect(onOpen).toHaveBeenCalledTimes(1));
  expect(changes()).toEqual([{ key: 'PATCH /api/user/routers/', input: { body: { enabled: true, ids: [1, 3] } } }]);
  expect(onOpen.mock.calls[0]?.[0]).toEqual({
    type: 'many-refused',
    outcome: { done: 1, refused: [{ id: 3, name: '西一', detail: '已被管理员停用' }] },
  });
  fireEvent.click(bar.getByRole('button', { name: '删除' }));
  expect(onOpen.mock.lastCall?.[0]).toMatchObject({ type: 'delete-devices', devices: [{ id: 1 }, { id: 3 }] });
});
