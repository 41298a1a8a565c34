import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { type CloudApp, CloudAppCreate, CloudAppPatch } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../../api/index.ts';
import { appOf } from '../../../../testing/app-fixtures.ts';
import { deviceOf } from '../../../../testing/device-fixtures.ts';
import { show } from '../../../../testing/show.tsx';
import { AppDialog } from './app-dialog.tsx';

afterEach(cleanup);

const create = 'POST /api/user/cloud_apps/';
const update = 'PATCH /api/user/cloud_apps/{id}/';

function open(of: Parameters<typeof AppDialog>[0]['of'], answers: Parameters<typeof show>[1] = {}) {
  const onClose = vi.fn<() => void>();
  const calls = show(<AppDialog of={of} onClose={onClose} />, {
    [create]: () => appOf(),
    [update]: () => appOf(),
    ...answers,
  });
  /** The bodies that were sent, each as the server would accept it. */
  const bodies = () =>
    calls.map(({ key, input }) => {
      const { body } = input as { body: unknown }; // of the two calls above
      (key === create ? CloudAppCreate : CloudAppPatch).parse(body);
      return body;
    });
  return { onClose, bodies };
}

const add = { device: deviceOf(), group: 'app' } as const;
const stored = appOf({ has_password: true, has_private_key: true, has_passphrase: true, host_key: 'SHA256:abc' });
const edit = (app: CloudApp = stored) => ({ app });

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('each tab offers the kinds of its group', () => {
  open(add);
  const kinds = screen.getAllByRole<HTMLInputElement>('radio').filter(({ name }) => name === 'kind');
  expect(kinds.map(({ value }) => value)).toEqual(['ssh', 'telnet', 'vnc', 'rdp', 'aria2', 'wol']);
});

test('a Windows desktop stores no password, and the form says what to know of it', async () => {
  open(add);
  fireEvent.click(screen.getByLabelText('Windows 远程桌面'));
  await screen.findByText(/^密码每次打开时输入，不会保存/);
  expect(screen.queryByLabelText('密码')).toBeNull();
});

test('an app is added with the usual port of its kind, and without what was left empty', async () => {
  const { bodies, onClose } = open(add);
  fill('名称', '群晖');
  fill('主机', '192.168.1.10');
  fill('用户名', 'admin');
  expect(screen.getByLabelText<HTMLInputElement>('端口').placeholder).toBe('22');
  press('添加');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies()).toEqual([
    {
      ...{ router: 7, kind: 'ssh', name: '群晖', host: '192.168.1.10', port: 22 },
      ...{
        options: { username: 'admin', encoding: 'utf-8', mac: '', old_algorithms: false },
        secrets: {},
        needs_second_factor: false,
      },
    },
  ]);
});

test('a key, its passphrase and a password are sent; the passphrase is asked for only with a key', async () => {
  const { bodies } = open(add);
  fill('名称', '群晖');
  fill('主机', 'nas.local');
  fill('端口', '２２２２');
  expect(screen.queryByLabelText('私钥的口令')).toBeNull();
  fill('密码', 'p w');
  fill('私钥', '-----BEGIN');
  await screen.findByLabelText('私钥的口令');
  fill('私钥的口令', 'phrase');
  fireEvent.click(screen.getByLabelText('每次打开都要验证第二步'));
  press('添加');
  await waitFor(() => expect(bodies()).toHaveLength(1));
  expect(bodies()[0]).toMatchObject({
    port: 2222,
    secrets: { password: 'p w', private_key: '-----BEGIN', passphrase: 'phrase' },
    needs_second_factor: true,
  });
});

test('another kind has other fields, and sends only these', async () => {
  const { bodies } = open(add);
  fill('名称', '交换机');
  fill('主机', '192.168.1.2');
  fill('密码', 'unused');
  fireEvent.click(screen.getByLabelText('Telnet 终端'));
  await waitFor(() => expect(screen.queryByLabelText('密码')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('端口').placeholder).toBe('23');
  fireEvent.click(screen.getByLabelText('GB18030（含 GBK）'));
  press('添加');
  await waitFor(() => expect(bodies()).toHaveLength(1));
  expect(bodies()[0]).toMatchObject({ kind: 'telnet', port: 23, options: { encoding: 'gbk' }, secrets: {} });
});

test('a host to wake needs a MAC address of a network card, in any spelling', async () => {
  const { bodies } = open(add);
  fireEvent.click(screen.getByLabelText('网络唤醒'));
  await screen.findByText(/^端口只用来判断它是否开机/);
  fill('名称', '书房的电脑');
  fill('主机', '192.168.1.20');
  press('添加');
  await screen.findByText('请输入 MAC 地址');
  fill('MAC 地址', '01:00:5e:00:00:fb');
  press('添加');
  await screen.findByText('MAC 地址格式应如 d8:bb:c1:0a:2f:e4');
  expect(bodies()).toEqual([]);
  fill('MAC 地址', 'D8-BB-C1-0A-2F-E4');
  press('添加');
  await waitFor(() => expect(bodies()).toHaveLength(1));
  expect(bodies()[0]).toMatchObject({ kind: 'wol', port: 445, options: { mac: 'D8-BB-C1-0A-2F-E4' } });
});

test('a pasted address is taken apart', async () => {
  open(add);
  fill('主机', 'ssh://root@192.168.1.10:2200');
  fireEvent.blur(screen.getByLabelText('主机'));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('主机').value).toBe('192.168.1.10'));
  expect(screen.getByLabelText<HTMLInputElement>('端口').value).toBe('2200');
});

test('what is missing or wrong is said at its field, and nothing is sent', async () => {
  const { bodies } = open(add);
  fill('端口', '99999');
  press('添加');
  await screen.findByText('请输入名称');
  await screen.findByText('请输入目标地址');
  await screen.findByText('端口应为 1–65535 的数字');
  expect(bodies()).toEqual([]);
});

test('a refused target is said at its field', async () => {
  const problem = { type: 'problem', status: 422, detail: '', fields: {}, requestId: '' } as const;
  open(add, {
    [create]: () => {
      throw new ApiError({ ...problem, code: 'mapping.target-not-private', retryAfterSeconds: undefined });
    },
  });
  fill('名称', '外网');
  fill('主机', '8.8.8.8');
  press('添加');
  await waitFor(() => expect(screen.getByLabelText('主机').getAttribute('aria-invalid')).toBe('true'));
  expect(document.querySelector('.ant-alert')).toBeNull();
});

test('stored secrets are never shown, and stay when something else is changed', async () => {
  const { bodies } = open(edit());
  expect(screen.getAllByText('已保存')).toHaveLength(3);
  expect(document.querySelectorAll('input[type=password], textarea')).toHaveLength(0);
  fill('名称', '新名字');
  press('保存');
  await waitFor(() => expect(bodies()).toEqual([{ name: '新名字' }]));
});

test('a stored secret is replaced or cleared, and either can be taken back', async () => {
  const { bodies } = open(edit());
  press('更换密码');
  fill('密码', 'new');
  press('清除私钥');
  await waitFor(() => expect(screen.queryByRole('button', { name: '清除私钥的口令' })).toBeNull());
  press('清除目标的指纹');
  screen.getAllByText('保存后清除');
  press('保留原来的目标的指纹');
  screen.getByText('SHA256:abc');
  press('保存');
  await waitFor(() =>
    expect(bodies()).toEqual([{ secrets: { password: 'new', private_key: null, passphrase: null } }]),
  );
});

test('another target takes the stored secrets away, and the form says so before', async () => {
  const { bodies } = open(edit());
  const note = /原来保存的密码和密钥会在保存后清除/;
  expect(screen.queryByText(note)).toBeNull();
  fill('主机', '192.168.1.66');
  await screen.findByText(note);
  expect(screen.getAllByText('换了目标，保存后清除')).toHaveLength(3);
  press('更换密码');
  fill('密码', 'new');
  fill('主机', '192.168.1.10');
  await waitFor(() => expect(screen.queryByText(note)).toBeNull());
  fill('端口', '2222');
  await screen.findByText(note);
  press('保存');
  await waitFor(() => expect(bodies()).toMatchObject([{ port: 2222, secrets: { password: 'new' } }]));
});

test('a replacement that stays empty changes nothing', async () => {
  const { bodies } = open(edit());
  press('更换密码');
  press('清除目标的指纹');
  press('保存');
  await waitFor(() => expect(bodies()).toEqual([{ host_key: null }]));
});

test('an app that asks each time says so, and can be given a password', async () => {
  const { bodies } = open(edit(appOf()));
  screen.getByText('留空则每次打开时询问，不会保存。');
  fill('密码', 'x');
  press('保存');
  await waitFor(() => expect(bodies()).toEqual([{ secrets: { password: 'x' } }]));
});

test('a key is read from a file, but none that is too large', async () => {
  const { bodies } = open(edit(appOf()));
  const input = screen.getByLabelText('选择私钥文件');
  fireEvent.change(input, { target: { files: [new File(['x'.repeat(20_001)], 'film')] } });
  await screen.findByText('这个文件太大，不像是私钥');
  fireEvent.change(input, { target: { files: [new File(['KEY'], 'id_ed25519')] } });
  await screen.findByDisplayValue('KEY');
  press('保存');
  await waitFor(() => expect(bodies()).toEqual([{ secrets: { private_key: 'KEY' } }]));
});
