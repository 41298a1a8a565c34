import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { AddDeviceDialog } from './add-device-dialog.tsx';

afterEach(cleanup);

const create = 'POST /api/user/enrolment_keys/';
const answers = {
  'GET /api/site/config/': () => ({ console_url: 'https://tongtu.example.com' }),
  'GET /api/agent/bootstrap/': () => ({ relay_pin: 'pin' }),
  'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
  'GET /api/profile/': () => [{ id: 1, username: 'li', token: 'tt_0123456789abcdefghij' }],
};
const nothing = () => undefined;

/** The dialog with a fake server that numbers the keys that it creates. */
function open() {
  let created = 0;
  return show(<AddDeviceDialog devices={[]} onClose={nothing} onAddMapping={nothing} />, {
    ...answers,
    [create]: () => ({ key: `te_key${++created}`, enrolment_key: {} }),
  });
}

test('the line to paste carries a single-use key of an hour in place of the account token', async () => {
  const calls = open();

  await screen.findByText(/install\.sh; fi \| TONGTU_TOKEN=te_key1 sh -s -- --pin pin/);
  screen.getByText(/1 小时内有效，只能添加一台设备/);
  const withoutRoot = screen.getByText(/不是 root 用户时/);
  expect(withoutRoot.textContent).toMatch(/^不是 root 用户时，请先运行 sudo -i 切换到 root，再粘贴这一行。/);
  expect(calls.filter(({ key }) => key === create).map(({ input }) => input)).toEqual([
    { body: { name: '添加设备', device_name: '', is_reusable: false, valid_hours: 1 } },
  ]);
});

test('the account token stands below, hidden until it is shown', async () => {
  open();
  const reveal = await screen.findByRole('button', { name: '显示账号令牌' });
  expect(screen.queryByText('tt_0123456789abcdefghij')).toBeNull();
  fireEvent.click(reveal);
  screen.getByText('tt_0123456789abcdefghij');
});

test('another key for several devices, with a name for them, replaces the line', async () => {
  const calls = open();
  await screen.findByText(/te_key1/);
  fireEvent.click(screen.getByRole('button', { name: '更改接入密钥' }));
  fireEvent.change(screen.getByLabelText('设备名称'), { target: { value: ' 收银台 ' } });
  fireEvent.click(screen.getByLabelText('多台设备'));
  fireEvent.click(screen.getByRole('button', { name: '生成新命令' }));

  await screen.findByText(/TONGTU_TOKEN=te_key2 /);
  screen.getByText(/可以添加多台设备/);
  expect(calls.findLast(({ key }) => key === create)?.input).toEqual({
    body: { name: '收银台', device_name: '收银台', is_reusable: true, valid_hours: 1 },
  });
});

test('without a key there is no line, and the failure can be retried', async () => {
  let isDown = true;
  show(<AddDeviceDialog devices={[]} onClose={nothing} onAddMapping={nothing} />, {
    ...answers,
    [create]: () =>
      isDown ? Promise.reject(new ApiError({ type: 'network' })) : { key: 'te_late', enrolment_key: {} },
  });

  await screen.findByText('安装命令加载失败');
  expect(screen.queryByText(/TONGTU_TOKEN/)).toBeNull();
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => screen.getByText(/TONGTU_TOKEN=te_late/));
});
