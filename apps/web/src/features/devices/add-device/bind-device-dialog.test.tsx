import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Binding } from '@tongtu/contract';
import { useLocation } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { DevicesPage } from '../devices-page.tsx';

afterEach(cleanup);

const device: Binding = {
  name: '客厅的 NAS',
  platform: 'linux x64',
  agent_version: '0.1.0',
  fingerprint: '3F9A 1C22 B07E 91D4',
  ip: '203.0.113.9',
  place: '浙江省杭州市',
  is_same_network: true,
  expires_at: '2026-11-22T00:00:00.000Z',
};
const code = 'c'.repeat(22);
const confirmKey = 'POST /api/user/binding/';

function Place() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function openLink(answers: Parameters<typeof show>[1]) {
  return show(
    <>
      <DevicesPage />
      <Place />
    </>,
    {
      'GET /api/site/config/': () => ({ base_domain: 'example.com' }),
      'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
      'GET /api/user/shared_with_me/': () => [],
      'GET /api/user/servers/': () => [],
      'GET /api/user/binding/': () => device,
      'GET /api/user/token-sign/': () => ({ token_id: 'id', sign: 'secret', expires_at: '' }),
      [confirmKey]: () => ({ ok: true }),
      ...answers,
    },
    { at: `/devices?bind=${code}` },
  );
}

const notFound = new ApiError({
  type: 'problem',
  status: 404,
  code: 'binding.not-found',
  detail: '这个链接已失效：超过了 10 分钟，或设备已被添加',
  fields: {},
  requestId: '',
  retryAfterSeconds: undefined,
});

test('a link of a device shows it, and a proof of this account adds it', async () => {
  const calls = openLink({});

  await screen.findByText('3F9A 1C22 B07E 91D4');
  for (const text of ['客厅的 NAS', 'linux x64', '203.0.113.9', '它和您在同一个网络']) screen.getByText(text);
  screen.getByText('/devices');
  expect(calls.filter(({ key }) => key === confirmKey || key.includes('token-sign'))).toEqual([]);

  const dialog = screen.getByRole('dialog');
  fireEvent.click(
    [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === '添加设备') ?? dialog,
  );

  await screen.findByText('已添加，设备会在几秒内上线');
  expect(calls.find(({ key }) => key === confirmKey)).toEqual({
    key: confirmKey,
    input: { body: { code, token_id: 'id', sign: 'secret' } },
  });
});

test('a device in another network is pointed out, and nothing happens when it is not the user’s', async () => {
  const calls = openLink({ 'GET /api/user/binding/': () => ({ ...device, is_same_network: false }) });

  await screen.findByText('它和您不在同一个网络');
  fireEvent.click(screen.getByRole('button', { name: '不是我的设备' }));

  await waitFor(() => expect(screen.queryByText('它和您不在同一个网络')).toBeNull());
  expect(calls.filter(({ key }) => key === confirmKey)).toEqual([]);
});

test('a link that has ended adds nothing and says why', async () => {
  openLink({ 'GET /api/user/binding/': () => Promise.reject(notFound) });

  await screen.findByText(/这个链接已失效/);
  const add = screen.getAllByRole<HTMLButtonElement>('button', { name: '添加设备' }).at(-1);
  expect(add?.disabled).toBe(true);
});
