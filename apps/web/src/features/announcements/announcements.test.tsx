import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Announcement } from '@tongtu/contract';
import { App, ConfigProvider } from 'antd';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type Api, ApiProvider } from '../../api/index.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Announcements } from './announcements.tsx';

afterEach(cleanup);

function announcementOf(id: number, fields: Partial<Announcement> = {}): Announcement {
  const published_at = '2026-11-01T00:00:00.000Z';
  return { id, title: `第 ${id} 条`, detail: '', url: '', display: true, published_at, ...fields };
}

function OtherDialog() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} title="修改域名映射" footer={<button onClick={() => setIsOpen(false)}>关上</button>} />
  );
}

function open(announcements: Announcement[], beside: ReactNode = null, readId = 0) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const profile = { id: 1, token: 'tt_secret', readed_announcement_id: readId };
  client.setQueryData(['profile'], profile);
  client.setQueryData(['announcements'], announcements);
  const read: unknown[] = [];
  const call = async (_key: string, { body }: { body: { readed_announcement_id: number } }) => {
    read.push(body.readed_announcement_id);
    return { ...profile, ...body };
  };
  render(
    <QueryClientProvider client={client}>
      {/* Only the call that marks announcements as read is made. */}
      <ApiProvider value={{ call } as unknown as Api}>
        <ConfigProvider theme={{ token: { motion: false } }}>
          <App>
            {beside}
            <Announcements />
          </App>
        </ConfigProvider>
      </ApiProvider>
    </QueryClientProvider>,
  );
  return { client, profile, read };
}

const lines = () => screen.queryAllByRole('listitem').map((line) => line.textContent);
const isOpen = () => screen.queryByRole('button', { name: '知道了' }) !== null;

test('all that is shown is listed in order with the unread marked, and reading it counts for what is hidden, too', async () => {
  const hidden = announcementOf(5, { display: false });
  const { read } = open([announcementOf(2), announcementOf(3), announcementOf(4), hidden], null, 3);
  const shown = lines().map((line) => [/第 \d 条/.exec(line ?? '')?.[0], line?.includes('未读')]);
  expect(shown).toEqual([
    ['第 2 条', false],
    ['第 3 条', false],
    ['第 4 条', true],
  ]);
  fireEvent.click(screen.getByRole('button', { name: '知道了' }));
  await waitFor(() => expect(read).toEqual([5]));
});

test('the dialog stays closed when all that is shown is read', () => {
  open([announcementOf(2), announcementOf(3), announcementOf(5, { display: false })], null, 3);
  expect(isOpen()).toBe(false);
});

test('an announcement waits until the dialog that is open is closed', async () => {
  const { client } = open([], <OtherDialog />);
  act(() => void client.setQueryData(['announcements'], [announcementOf(1)]));
  expect(isOpen()).toBe(false);
  fireEvent.click(screen.getByText('关上'));
  await waitFor(() => expect(isOpen()).toBe(true));
});

test('an announcement waits while somebody types, and comes afterwards', async () => {
  open([announcementOf(1)], <input aria-label="搜索" autoFocus />);
  expect(isOpen()).toBe(false);
  act(() => screen.getByLabelText('搜索').blur());
  await waitFor(() => expect(isOpen()).toBe(true));
});

test('what is read in another tab closes here', async () => {
  const { client, profile } = open([announcementOf(1)]);
  expect(isOpen()).toBe(true);
  act(() => void client.setQueryData(['profile'], { ...profile, readed_announcement_id: 1 }));
  await waitFor(() => expect(isOpen()).toBe(false));
});
