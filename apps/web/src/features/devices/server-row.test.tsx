import { cleanup, screen, within } from '@testing-library/react';
import type { Server } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { show } from '../../testing/show.tsx';
import { ServerRow } from './server-row.tsx';

afterEach(cleanup);

const key = 'GET /api/user/servers/';
const server: Server = {
  id: 1,
  name: '华东一区',
  suffix: 'example.com',
  isp: '电信',
  load: 0.354,
  state: 'up',
  maintenance: false,
};

test.each([
  [{}, '正常', '负载 35%'],
  [{ load: 0.8 }, '繁忙', '负载 80%'],
  [{ state: 'down', load: 0 }, '无法连接', undefined],
  [{ maintenance: true }, '维护中', '负载 35%'],
] as const)('a server with %j is shown as %s', async (given, word, load) => {
  show(<ServerRow />, { [key]: () => [{ ...server, ...given }] });

  const row = within(await screen.findByRole('list', { name: '服务器状态' }));
  for (const text of ['华东一区', '电信', '*.example.com', word]) row.getByText(text);
  expect(row.queryByText(/^负载/)?.textContent).toBe(load);
});

test('servers that cannot be asked about leave the screen as it is', async () => {
  const calls = show(<ServerRow />, { [key]: () => Promise.reject(new ApiError({ type: 'network' })) });

  await expect.poll(() => calls).toHaveLength(1);
  expect(screen.queryByRole('list')).toBeNull();
});
