import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { frpcShownText } from '../../../text/devices/frpc-shown.ts';
import { show } from '../../../testing/show.tsx';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { MappingDialog } from '../mapping-dialog/mapping-dialog.tsx';
import { FrpcAccountDialog } from './frpc-account-dialog.tsx';

afterEach(cleanup);

const reveal = 'POST /api/user/frpc_account/';
const rotate = 'POST /api/user/frpc_account/secret/';
const site = { console_url: 'https://t.example.com', mapping_ports: { from: 20_000, to: 20_999 } };
const account = {
  server_host: 'frp.example.com',
  server_port: 443,
  is_certificate_checked: true,
  user: 'tt-0123456789',
  toml: 'auth.token = "first"',
  ini: 'token = first',
};

test('what to change in a frpc.toml is shown on request, and its token can be replaced', async () => {
  const answers = {
    'GET /api/site/config/': () => site,
    [reveal]: () => account,
    [rotate]: () => ({ ...account, toml: 'auth.token = "second"' }),
  };
  const calls = show(
    <ConfirmProvider>
      <FrpcAccountDialog onClose={() => {}} />
    </ConfirmProvider>,
    answers,
  );
  await screen.findByText(/remotePort 请用 20000–20999/);
  fireEvent.click(screen.getByRole('button', { name: '显示连接设置' }));
  await screen.findByText(account.toml);
  screen.getByText(/user = "tt-0123456789.office"/);
  fireEvent.click(screen.getByRole('button', { name: '换 frpc 令牌' }));
  const [, confirmation] = await screen.findAllByRole('button', { name: /换 frpc 令牌/ });
  if (confirmation) fireEvent.click(confirmation);
  await screen.findByText('auth.token = "second"');
  expect(calls.map(({ key }) => key).filter((key) => key.startsWith('POST'))).toEqual([reveal, rotate]);
});

test('of a mapping that a frpc.toml manages only access, times and the remark are changed', async () => {
  const mapping = mappingOf({ frpc_proxy: 'web', target: 'frpc:web' });
  const change = 'PATCH /api/user/records/{id}/';
  const calls = show(
    <MappingDialog device={deviceOf({ program: 'frpc-toml' })} devices={[]} mapping={mapping} onClose={() => {}} />,
    { 'GET /api/site/config/': () => site, [change]: () => mapping },
  );
  screen.getByText('由 frpc.toml 管理（代理 web）');
  expect(frpcShownText.managedTitle('group:http:web')).toBe('由 frpc.toml 管理（代理组 web）');
  expect([frpcShownText.managed(''), frpcShownText.managedTitle('')]).toEqual([
    '由 frpc.toml 管理',
    '由 frpc.toml 管理',
  ]);
  expect(screen.queryByLabelText('主机')).toBeNull();
  fireEvent.change(screen.getByLabelText('备注'), { target: { value: '相册' } });
  fireEvent.click(screen.getByRole('button', { name: /保\s*存/ }));
  await expect.poll(() => calls.filter(({ key }) => key === change)).toHaveLength(1);
  expect(calls.find(({ key }) => key === change)?.input).toEqual({ params: { id: 3 }, body: { remark: '相册' } });
});
