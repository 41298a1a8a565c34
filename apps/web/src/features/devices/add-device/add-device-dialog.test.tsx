import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { AddDeviceDialog } from './add-device-dialog.tsx';

afterEach(cleanup);

const create = 'POST /api/user/enrolment_keys/';
const answers = {
  'GET /api/site/config/': () => ({ console_url: 'https://tongtu.example.com' }),
  'GET /api/agent/bootstrap/': () => ({ relay_pin: 'pin', tunnel_host: 'tongtu.example.com', tunnel_port: 7000 }),
  'GET /api/user/device_attempts/': () => [],
  'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
  'GET /api/profile/': () => [{ id: 1, username: 'li', token: 'tt_0123456789abcdefghij' }],
};
const nothing = () => undefined;

/** The dialog with a fake server that numbers the keys that it creates, with a kind of device chosen. */
function open(box?: string, more: Parameters<typeof show>[1] = {}) {
  let created = 0;
  const calls = show(<AddDeviceDialog devices={[]} onClose={nothing} onAddMapping={nothing} />, {
    ...answers,
    [create]: () => ({ key: `te_key${++created}`, enrolment_key: {} }),
    ...more,
  });
  if (box !== undefined) choose(box);
  return calls;
}

function choose(box: string) {
  const names = (button: HTMLElement) => button.querySelector('strong')?.textContent;
  fireEvent.click(screen.getAllByRole('button').find((button) => names(button) === box) ?? document.body);
}

test('it asks first what the device is; until then nothing is made and nothing waits', () => {
  const calls = open();
  screen.getByText('要添加的是什么设备？');
  for (const box of ['OpenWrt 路由器', 'NAS', 'Linux', 'Docker', 'Windows', 'macOS', '已经在用 frpc'])
    screen.getByText(box);
  expect(calls).toEqual([]);
  expect(screen.queryByText('正在等待您的设备…')).toBeNull();
});

test('each kind of device gets its own text', async () => {
  open('Docker');
  await screen.findByText(/docker run -d --name tongtu-agent .*TONGTU_TOKEN=te_key1 node:24-alpine/s);
  fireEvent.click(screen.getByRole('button', { name: '换一种设备' }));
  choose('NAS');
  await screen.findByRole('img', { name: /群晖的任务计划/ });
  fireEvent.click(screen.getByText('威联通'));
  await screen.findByText(/network_mode: host/);
  fireEvent.click(screen.getByRole('button', { name: '换一种设备' }));
  choose('Windows');
  await screen.findByText(/install\.ps1 \| iex/);
});

test('a mirror of Docker Hub stands before the image, is remembered, and is part of no command when it is wrong', async () => {
  open('Docker');
  const field = await screen.findByLabelText('镜像加速地址（可选）');
  fireEvent.change(field, { target: { value: ' https://Docker.M.DaoCloud.io/ ' } });
  screen.getByText(/ docker\.m\.daocloud\.io\/library\/node:24-alpine/s);
  fireEvent.click(screen.getByText('Compose'));
  screen.getByText(/image: docker\.m\.daocloud\.io\/library\/node:24-alpine/s);
  cleanup();

  open('Docker');
  await screen.findByText(/ docker\.m\.daocloud\.io\/library\/node:24-alpine/s);
  for (const value of ['a b', "x';reboot;'", '$(reboot)', 'a`b`', 'mirror/..//x', '镜像']) {
    fireEvent.change(screen.getByLabelText('镜像加速地址（可选）'), { target: { value } });
    screen.getByText(/请只填写主机名/);
    screen.getByText(/TONGTU_TOKEN=te_key1 node:24-alpine/s);
  }
  fireEvent.change(screen.getByLabelText('镜像加速地址（可选）'), { target: { value: '' } });
  cleanup();
  open('Docker');
  await screen.findByText(/TONGTU_TOKEN=te_key1 node:24-alpine/s);
});

test('the line to paste carries a single-use key of an hour in place of the account token', async () => {
  const calls = open('Linux');

  await screen.findByText(/install\.sh; fi \| TONGTU_TOKEN=te_key1 sh -s -- --pin pin/);
  screen.getByText(/1 小时内有效，只能添加一台设备/);
  const withoutRoot = screen.getByText(/不是 root 用户时/);
  expect(withoutRoot.textContent).toMatch(/^不是 root 用户时，请先运行 sudo -i 切换到 root，再粘贴这一行。/);
  expect(calls.filter(({ key }) => key === create).map(({ input }) => input)).toEqual([
    { body: { name: '添加设备', device_name: '', is_reusable: false, valid_hours: 1 } },
  ]);
});

test('the account token stands below, hidden until it is shown', async () => {
  open('Linux');
  const reveal = await screen.findByRole('button', { name: '显示账号令牌' });
  expect(screen.queryByText('tt_0123456789abcdefghij')).toBeNull();
  fireEvent.click(reveal);
  screen.getByText('tt_0123456789abcdefghij');
});

test('another key for several devices, with a name for them, replaces the line', async () => {
  const calls = open('Linux');
  await screen.findAllByText(/te_key1/);
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
  open('Linux', {
    [create]: () =>
      isDown ? Promise.reject(new ApiError({ type: 'network' })) : { key: 'te_late', enrolment_key: {} },
  });

  await screen.findByText('安装命令加载失败');
  expect(screen.queryByText(/TONGTU_TOKEN/)).toBeNull();
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => screen.getByText(/TONGTU_TOKEN=te_late/));
});

const createFrpc = 'POST /api/user/frpc_devices/';
const configuration = {
  device_id: 7,
  server_host: '192.168.1.2',
  server_port: 7200,
  is_certificate_checked: false,
  toml: 'serverAddr = "192.168.1.2"',
  ini: 'server_addr = 192.168.1.2',
  uci: "option server_addr '192.168.1.2'",
};

test('a named frpc device gets its configuration, and stays the same on the way back to the choice', async () => {
  const calls = open('已经在用 frpc', { [createFrpc]: () => configuration });
  screen.getByText(/不支持 UDP 映射和局域网发现/);
  fireEvent.click(screen.getByRole('button', { name: '生成配置' }));
  await screen.findByText('请输入设备名称');
  expect(calls).toEqual([]);

  fireEvent.change(screen.getByLabelText('设备名称'), { target: { value: ' 客厅路由器 ' } });
  fireEvent.click(screen.getByRole('button', { name: '生成配置' }));
  await screen.findByText(configuration.toml);
  screen.getByText(/frpc 不会核对对方的身份/);
  expect(screen.queryByText(/通过本机地址打开控制台/)).toBeNull();
  await screen.findByText('正在等待您的设备…');

  fireEvent.click(screen.getByRole('button', { name: '换一种设备' }));
  expect(screen.queryByText('正在等待您的设备…')).toBeNull();
  choose('OpenWrt 路由器');
  await screen.findByText(/apk add frpc ca-bundle.*option server_addr '192\.168\.1\.2'\sEOF/s);
  expect(calls.filter(({ key }) => key === createFrpc)).toEqual([
    { key: createFrpc, input: { body: { name: '客厅路由器' } } },
  ]);
});

test('a configuration with an address of loopback says that no other device reaches it', async () => {
  open('已经在用 frpc', { [createFrpc]: () => ({ ...configuration, server_host: 'localhost' }) });
  fireEvent.change(screen.getByLabelText('设备名称'), { target: { value: '路由器' } });
  fireEvent.click(screen.getByRole('button', { name: '生成配置' }));
  await screen.findByText(/通过本机地址打开控制台.*再复制配置/);
});

test('what the server has seen of the device is said at once, and another line is a click away', async () => {
  const seen = [{ kind: 'key_used', is_own: true, seconds_ago: 3 }];
  const calls = open('Linux', { 'GET /api/user/device_attempts/': () => seen });
  await screen.findByText('命令里的接入密钥已经用过');
  expect(calls.find(({ key }) => key.includes('attempts'))?.input).toMatchObject({ query: { within_seconds: 1 } });
  fireEvent.click(screen.getByRole('button', { name: '换一条新命令' }));
  await screen.findByText(/TONGTU_TOKEN=te_key2 sh/);
});
