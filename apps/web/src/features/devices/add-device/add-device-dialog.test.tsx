import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { AddDeviceDialog } from './add-device-dialog.tsx';

afterEach(cleanup);

const answers = {
  'GET /api/site/config/': () => ({ console_url: 'https://tongtu.example.com' }),
  'GET /api/agent/bootstrap/': () => ({ relay_pin: 'pin' }),
  'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
};
const nothing = () => undefined;

test('the line to paste carries a one-time proof in place of the account token', async () => {
  let issued = 0;
  const calls = show(<AddDeviceDialog devices={[]} onClose={nothing} onAddMapping={nothing} />, {
    ...answers,
    'GET /api/user/token-sign/': () => ({ token_id: `id${++issued}`, sign: 'secret', expires_at: '' }),
  });

  await screen.findByText(/install\.sh \| TONGTU_TOKEN=tb_id1\.secret sh -s -- --pin pin/);
  screen.getByText(/只能添加一台设备/);
  const withoutRoot = screen.getByText(/不是 root 用户时/);
  expect(withoutRoot.textContent).toMatch(/^不是 root 用户时，请先运行 sudo -i 切换到 root，再粘贴这一行。/);
  expect(calls.filter(({ key }) => key === 'GET /api/profile/')).toEqual([]);
});

test('without a proof there is no line, and the failure can be retried', async () => {
  show(<AddDeviceDialog devices={[]} onClose={nothing} onAddMapping={nothing} />, {
    ...answers,
    'GET /api/user/token-sign/': () => Promise.reject(new ApiError({ type: 'network' })),
  });

  await screen.findByText('安装命令加载失败');
  screen.getByRole('button', { name: '重试' });
  expect(screen.queryByText(/TONGTU_TOKEN/)).toBeNull();
});
