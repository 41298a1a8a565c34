import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { AlertChannel } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../../../../testing/show.tsx';
import { channelOf, profileOf, refusal } from '../../testing/account-fixtures.ts';
import { ChannelDialog } from './channel-dialog.tsx';

afterEach(cleanup);

const change = 'PATCH /api/user/alerts/channels/{id}/';

function open(channel: AlertChannel, answers: Parameters<typeof show>[1] = {}) {
  const onClose = vi.fn<() => void>();
  const calls = show(<ChannelDialog channel={channel} channels={[channel]} onClose={onClose} />, {
    'GET /api/profile/': () => [profileOf()],
    'GET /api/site/config/': () => ({ mail_codes: true }),
    [change]: () => channel,
    ...answers,
  });
  const bodies = () => calls.filter(({ key }) => key === change).map(({ input }) => (input as { body: unknown }).body); // the type of the calls
  return { onClose, bodies };
}

function fill(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

const save = () => fireEvent.click(screen.getByRole('button', { name: '保存' }));

test('the stored target is not shown, and stays when its field is left empty', async () => {
  const { onClose, bodies } = open(channelOf());
  await screen.findByRole('dialog', { name: '修改提醒方式（Webhook）' });
  for (const label of ['网址', '签名密钥']) {
    const field = screen.getByLabelText<HTMLInputElement>(label);
    expect(field.value).toBe('');
    expect(field.placeholder).toBe('已设置，留空则不修改');
  }
  expect(screen.queryByRole('radio')).toBeNull();
  fill('名称', '书房的接收器');
  fireEvent.click(screen.getByLabelText('设备恢复在线'));
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies()).toEqual([{ name: '书房的接收器', events: ['device_offline', 'new_login'] }]);
});

test('a secret is changed together with its address, because the server replaces both', async () => {
  const { onClose, bodies } = open(channelOf());
  await screen.findByRole('dialog');
  fill('签名密钥', 'another-secret');
  save();
  await screen.findByText('修改密钥时，请一并重新填写地址');
  expect(bodies()).toEqual([]);
  fill('网址', 'https://hooks.example.com/new');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies()).toMatchObject([
    { target: { kind: 'webhook', url: 'https://hooks.example.com/new', secret: 'another-secret' } },
  ]);
});

test('with another address the form says that the previous secret is removed', async () => {
  const { onClose, bodies } = open(channelOf());
  await screen.findByRole('dialog');
  fill('网址', 'https://hooks.example.com/new');
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('签名密钥').placeholder).toBe('留空则不再使用密钥'),
  );
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies()).toMatchObject([{ target: { kind: 'webhook', url: 'https://hooks.example.com/new' } }]);
  expect(JSON.stringify(bodies())).not.toContain('secret');
});

test('a key is changed alone', async () => {
  const { onClose, bodies } = open(channelOf({ kind: 'serverchan', has_secret: false }));
  await screen.findByRole('dialog', { name: '修改提醒方式（Server酱）' });
  fill('SendKey', 'SCT0123456789abc');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(bodies()).toMatchObject([{ target: { kind: 'serverchan', send_key: 'SCT0123456789abc' } }]);
});

test('mail has no target of its own', async () => {
  const { onClose, bodies } = open(channelOf({ kind: 'email', name: '邮件', has_secret: false }));
  await screen.findByText('账号还没有绑定邮箱，请先在“登录方式”中绑定。');
  fill('名称', '我的邮箱');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  // The events stay as they are, which another page may have changed.
  expect(bodies()).toEqual([{ name: '我的邮箱' }]);
});

test('a name and at least one event are required', async () => {
  const { bodies } = open(channelOf());
  await screen.findByRole('dialog');
  fill('名称', '  ');
  for (const event of ['设备离线', '设备恢复在线', '新的登录']) fireEvent.click(screen.getByLabelText(event));
  save();
  await screen.findByText('请输入名称');
  await screen.findByText('请至少选择一种提醒');
  expect(bodies()).toEqual([]);
});

test('the form reports a channel that was deleted meanwhile', async () => {
  const { onClose } = open(channelOf(), { [change]: () => Promise.reject(refusal('alert.channel-not-found')) });
  await screen.findByRole('dialog');
  save();
  await screen.findByText('没有找到该提醒方式');
  expect(onClose).not.toHaveBeenCalled();
});
