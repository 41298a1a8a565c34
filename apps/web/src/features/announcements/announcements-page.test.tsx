import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { Announcement, ManagedAnnouncement } from '@tongtu/contract';
import { App } from 'antd';
import { afterEach, expect, test } from 'vitest';
import { ApiProvider, type Api } from '../../api/index.ts';
import { setUpTimes } from '../../text/time.ts';
import { AnnouncementsPage } from './announcements-page.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/announcement/announcements/';
const manage = 'GET /api/announcement/manage/';
const shown: Announcement[] = [
  { id: 1, title: '旧的', detail: '第一条', url: '', display: true, published_at: '2026-11-01T00:00:00.000Z' },
  {
    id: 2,
    title: '新的',
    detail: '第二条',
    url: 'https://example.com/',
    display: true,
    published_at: '2026-11-02T00:00:00.000Z',
  },
];
const hourMs = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
function managedOf(fields: Partial<ManagedAnnouncement>): ManagedAnnouncement {
  const always = { starts_at: null, ends_at: null, created_at: at(-9), revision: 1 };
  return { id: 1, title: '公告', detail: '内容', url: '', display: true, ...always, ...fields };
}
const managed: ManagedAnnouncement[] = [
  managedOf({ id: 4, title: '稍后', detail: '未到', starts_at: at(1) }),
  managedOf({ id: 3, title: '昨天', detail: '已过', ends_at: at(-1) }),
  managedOf({ id: 2, title: '草稿', detail: '隐藏', display: false }),
];

function open(answers: Record<string, (input: { body?: unknown }) => unknown>, flags: object = {}) {
  const calls: { key: string; input: { body?: unknown } }[] = [];
  const call = async (key: string, input: { body?: unknown }) => {
    calls.push({ key, input });
    return await answers[key]?.(input);
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(['profile'], { id: 1, readed_announcement_id: 0, ...flags });
  render(
    <QueryClientProvider client={client}>
      {/* The caller lists the answers that the test needs. */}
      <ApiProvider value={{ call, endSession: async () => undefined } as unknown as Api}>
        <App>
          <AnnouncementsPage />
        </App>
      </ApiProvider>
    </QueryClientProvider>,
  );
  return calls;
}

test('every user reads the announcements, the latest first, without buttons to edit them', async () => {
  open({ [list]: () => shown });

  const titles = await screen.findAllByRole('heading', { level: 2 });

  expect(titles.map((title) => title.textContent)).toEqual(['新的', '旧的']);
  expect(screen.getByRole('link', { name: /查看详情/ }).getAttribute('href')).toBe('https://example.com/');
  expect(screen.queryByText('管理')).toBeNull();
});

test('an empty list and a failure look different, and the failure can be retried', async () => {
  let tries = 0;
  open({
    [list]: () => {
      if (tries++ === 0) throw new Error('down');
      return [];
    },
  });

  fireEvent.click(await screen.findByRole('button', { name: /重\s*试/ }));

  expect(await screen.findByText('暂时没有公告')).toBeTruthy();
});

test('an announcement changes to ended while staff have the screen open', async () => {
  const ending = managedOf({ ends_at: new Date(Date.now() + 5000).toISOString() });
  open({ [list]: () => [], [manage]: () => ({ results: [ending] }) }, { is_staff: true });
  fireEvent.click(await screen.findByText('管理'));

  expect(await screen.findByText('已结束')).toBeTruthy();
});

test('staff see the state of each announcement, and its buttons name it', async () => {
  open({ [list]: () => shown, [manage]: () => ({ results: managed }) }, { is_staff: true });
  fireEvent.click(await screen.findByText('管理'));

  const titles = await screen.findAllByRole('heading', { level: 2 });

  expect(titles.map((title) => title.closest('li')?.textContent)).toEqual([
    expect.stringContaining('未到时间'),
    expect.stringContaining('已结束'),
    expect.stringContaining('已隐藏'),
  ]);
  for (const { title } of managed) {
    for (const action of ['编辑', '删除']) {
      expect(screen.getByRole('button', { name: `${action}公告“${title}”` }).textContent).toBe(action);
    }
  }
});

test('a new announcement has a preview and is sent as it was typed', async () => {
  const calls = open(
    { [list]: () => shown, [manage]: () => ({ results: [] }), 'POST /api/announcement/manage/': () => managed[0] },
    { is_superuser: true },
  );
  fireEvent.click(await screen.findByText('管理'));
  fireEvent.click(await screen.findByRole('button', { name: /新建公告/ }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('标题'), { target: { value: '维护' } });
  fireEvent.change(dialog.getByLabelText('内容'), { target: { value: '今晚升级' } });
  await waitFor(() => expect(dialog.getByTestId('preview').textContent).toContain('【维护】今晚升级'));

  fireEvent.click(dialog.getByRole('button', { name: /发\s*布/ }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ key }) => key === 'POST /api/announcement/manage/')?.input.body).toEqual({
    title: '维护',
    detail: '今晚升级',
    url: '',
    display: true,
    starts_at: null,
    ends_at: null,
  });
});

test('an executable address is refused before it is sent', async () => {
  const calls = open({ [list]: () => shown, [manage]: () => ({ results: managed }) }, { is_staff: true });
  fireEvent.click(await screen.findByText('管理'));
  fireEvent.click((await screen.findAllByRole('button', { name: /编辑/ }))[0]!);
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('链接（可选）'), { target: { value: 'javascript:alert(1)' } });

  fireEvent.click(dialog.getByRole('button', { name: /保\s*存/ }));

  expect(await dialog.findByText('请输入以 http:// 或 https:// 开头的网址')).toBeTruthy();
  expect(calls.some(({ key }) => key.startsWith('PATCH'))).toBe(false);
});
