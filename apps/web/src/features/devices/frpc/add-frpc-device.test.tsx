import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { AddFrpcDevice } from './add-frpc-device.tsx';

afterEach(cleanup);

const create = 'POST /api/user/frpc_devices/';
const configuration = {
  device_id: 7,
  server_host: '192.168.1.2',
  server_port: 7200,
  is_certificate_checked: false,
  toml: 'serverAddr = "192.168.1.2"',
  ini: 'server_addr = 192.168.1.2',
  uci: "option server_addr '192.168.1.2'",
};

test('a named device gets its configuration in three forms, with what frpc cannot do said before', async () => {
  const calls = show(<AddFrpcDevice />, { [create]: () => configuration });
  screen.getByText(/不支持 UDP 映射和局域网发现/);
  fireEvent.click(screen.getByRole('button', { name: '生成配置' }));
  await screen.findByText('请输入设备名称');
  expect(calls).toEqual([]);

  fireEvent.change(screen.getByLabelText('设备名称'), { target: { value: ' 客厅路由器 ' } });
  fireEvent.click(screen.getByRole('button', { name: '生成配置' }));

  await screen.findByText(configuration.toml);
  expect(calls).toEqual([{ key: create, input: { body: { name: '客厅路由器' } } }]);
  screen.getByText(/frpc 不会核对对方的身份/);
  fireEvent.click(screen.getByRole('tab', { name: 'OpenWrt' }));
  await screen.findByText(configuration.uci);
});
