import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { AlertChannel } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { useProfile } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { channelOf, deliveryOf, profileOf, refusal } from '../testing/account-fixtures.ts';
import { AlertsSection } from './alerts-section.tsx';

setUpTimes();
afterEach(cleanup);

const add = 'POST /api/user/alerts/channels/';
const change = 'PATCH /api/user/alerts/channels/{id}/';
const remove = 'DELETE /api/user/alerts/channels/{id}/';
const sendTest = 'POST /api/user/alerts/channels/{id}/test/';
const settings = 'PATCH /api/user/alerts/';

/** Waits for the profile before it shows the children. */
function Section() {
  return useProfile() ? <AlertsSection /> : null;
}

type Account = { channels: AlertChannel[]; minutes?: number };

/** The section with a fake server, whose alert settings a test may change. */
function open(account: Account, answers: Parameters<typeof show>[1] = {}) {
  return show(<Section />, {
    'GET /api/user/alerts/': () => ({
      offline_after_minutes: account.minutes ?? 5,
      channels: [...account.channels],
    }),
    'GET /api/profile/': () => [profileOf()],
    'GET /api/site/config/': () => ({ mail_codes: true }),
    ...answers,
  });
}

const inputsOf = (calls: { key: string; input: unknown }[], key: string) =>
  calls.filter((call) => call.key === key).map(({ input }) => input);

test('only a superuser of a service with billing chooses the alert about the ledger', async () => {
  const openDialog = async (): Promise<void> => {
    fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
    await screen.findByLabelText('设备离线');
  };
  const billing = { 'GET /api/site/config/': () => ({ mail_codes: true, billing: 'on' }) };
  open({ channels: [] }, { ...billing, 'GET /api/profile/': () => [profileOf({ is_superuser: true })] });
  await openDialog();
  await screen.findByLabelText('账目对不上');
  cleanup();

  open({ channels: [] }, billing);
  await openDialog();
  expect(screen.queryByLabelText('账目对不上')).toBeNull();
});

test('an account without channels reads why it needs one, and adds one', async () => {
  const account: Account = { channels: [] };
  const calls = open(account, {
    [add]: () => {
      const channel = channelOf({ kind: 'dingtalk', name: '钉钉群机器人' });
      account.channels.push(channel);
      return channel;
    },
    [sendTest]: () => deliveryOf(1, { event: 'test' }),
  });
  await screen.findByText('还没有提醒方式');
  fireEvent.click(screen.getByRole('button', { name: '添加提醒方式' }));
  fireEvent.click(await screen.findByLabelText('钉钉群机器人'));
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('钉钉群机器人');
  fireEvent.change(screen.getByLabelText('Webhook 地址'), {
    target: { value: ' https://oapi.dingtalk.com/robot/send?access_token=0123456789 ' },
  });
  fireEvent.change(await screen.findByLabelText('加签密钥'), { target: { value: 'SEC0123' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));

  await screen.findByText('提醒方式已添加');
  expect(inputsOf(calls, add)).toEqual([
    {
      body: {
        name: '钉钉群机器人',
        events: ['device_offline', 'device_online', 'new_login', 'passkey_added', 'access_request'],
        target: {
          kind: 'dingtalk',
          url: 'https://oapi.dingtalk.com/robot/send?access_token=0123456789',
          secret: 'SEC0123',
        },
      },
    },
  ]);
  fireEvent.click(screen.getByRole('button', { name: '发送测试' }));
  await screen.findByText('测试提醒已发送，请查看是否收到。');
  fireEvent.click(screen.getByRole('button', { name: '完成' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByRole('button', { name: '修改 钉钉群机器人' });
});

test('the server’s message for a field is shown at that field', async () => {
  open(
    { channels: [channelOf()] },
    {
      [add]: () =>
        Promise.reject(
          refusal('request.invalid', {
            'target.url': ['请粘贴群机器人的 Webhook 地址'],
            name: ['不能包含控制字符'],
          }),
        ),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
  fireEvent.change(await screen.findByLabelText('Webhook 地址'), { target: { value: 'nothing good' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  const atAddress = await screen.findByText('请粘贴群机器人的 Webhook 地址');
  expect(atAddress.closest('.ant-form-item')?.contains(screen.getByLabelText('Webhook 地址'))).toBe(true);
  expect(screen.getByText('不能包含控制字符').closest('.ant-form-item')).toBe(
    screen.getByLabelText('名称').closest('.ant-form-item'),
  );
  expect(screen.queryByRole('alert', { name: /输入/ })).toBeNull();
});

test('a private address is refused at its field, and a full list above the button', async () => {
  const refusals = [refusal('alert.address-refused'), refusal('alert.limit-reached')];
  open({ channels: [channelOf()] }, { [add]: () => Promise.reject(refusals.shift()) });
  fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
  fireEvent.click(await screen.findByLabelText('Webhook'));
  fireEvent.change(await screen.findByLabelText('网址'), { target: { value: 'http://127.0.0.1/' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  const refused = await screen.findByText('不能向这个地址发送提醒：它不在公网上，或不允许访问');
  expect(refused.closest('.ant-form-item')?.contains(screen.getByLabelText('网址'))).toBe(true);
  fireEvent.change(screen.getByLabelText('网址'), { target: { value: 'http://hooks.example.com/' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  const full = await screen.findByText('提醒方式数量已达上限，请先删除不用的');
  expect(full.closest('.ant-form-item')).toBeNull();
});

test('a second channel of the same kind gets a different default name', async () => {
  open({ channels: [channelOf({ name: 'Bark' }), channelOf({ id: 9, name: 'Bark 2' })] });
  fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
  fireEvent.click(await screen.findByLabelText('Bark'));
  const name = screen.getByLabelText<HTMLInputElement>('名称');
  expect(name.value).toBe('Bark 3');
  // A name that the user typed stays when the kind changes.
  fireEvent.change(name, { target: { value: '我的手机' } });
  fireEvent.click(screen.getByLabelText('Server酱'));
  expect(screen.getByLabelText<HTMLInputElement>('名称').value).toBe('我的手机');
});

test('mail needs a bound address: without one the form links to where it is bound', async () => {
  open({ channels: [] });
  fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
  fireEvent.click(await screen.findByLabelText('邮件'));
  const link = await screen.findByRole('link', { name: '去绑定邮箱' });
  expect(link.getAttribute('href')).toBe('/user/info?section=sign-in-methods');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '添加' }).disabled).toBe(true);
  fireEvent.click(link);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('with a bound address mail is the first choice', async () => {
  const calls = open(
    { channels: [] },
    {
      'GET /api/profile/': () => [profileOf({ email: 'lilei@example.com' })],
      [add]: () => channelOf({ kind: 'email', name: '邮件' }),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
  await screen.findByText('提醒会发送到您绑定的邮箱 lilei@example.com。');
  fireEvent.click(screen.getByLabelText('新的登录'));
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('提醒方式已添加');
  expect(inputsOf(calls, add)).toEqual([
    {
      body: {
        name: '邮件',
        events: ['device_offline', 'device_online', 'passkey_added', 'access_request'],
        target: { kind: 'email' },
      },
    },
  ]);
});

test('on a server without mail another kind is the first choice, and mail cannot be added', async () => {
  open(
    { channels: [] },
    {
      'GET /api/profile/': () => [profileOf({ email: 'lilei@example.com' })],
      'GET /api/site/config/': () => ({ mail_codes: false }),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: '添加提醒方式' }));
  await screen.findByLabelText('Webhook 地址');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '添加' }).disabled).toBe(false);
  fireEvent.click(screen.getByLabelText('邮件'));
  await screen.findByText('当前服务没有开通邮件，请选择其他方式。');
  expect(screen.queryByText(/提醒会发送到/)).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '添加' }).disabled).toBe(true);
});

test('a temporary mail failure and a server without mail have different messages', async () => {
  const last = { at: '2026-11-02T00:00:00.000Z', why: 'mail_failed' } as const;
  open({ channels: [channelOf({ kind: 'email', name: '邮件', last_failure: last })] });
  await screen.findByText(/发送失败：邮件暂时发不出去。通常会自行恢复/);
});

test('a mail channel on a server that no longer has mail warns before the next message is lost', async () => {
  open(
    { channels: [channelOf({ kind: 'email', name: '邮件', last_sent_at: '2026-11-02T00:00:00.000Z' })] },
    { 'GET /api/site/config/': () => ({ mail_codes: false }) },
  );
  await screen.findByText('当前服务没有开通邮件。请联系管理员，或改用其他提醒方式。');
  expect(screen.queryByText(/^上次成功/)).toBeNull();
  screen.getByRole('button', { name: '删除 邮件' });
});

test('with ten channels the button is disabled and says why', async () => {
  open({ channels: Array.from({ length: 10 }, (_, index) => channelOf({ id: index + 1, name: `方式 ${index}` })) });
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: '添加提醒方式' });
  expect(button.disabled).toBe(true);
  const why = screen.getByText('已有 10 个提醒方式，不能再添加，请先删除不用的。');
  expect(button.getAttribute('aria-describedby')).toBe(why.id);
});

test('a channel lists its events and the result of the last message', async () => {
  open({
    channels: [
      channelOf({ events: ['new_login'], last_sent_at: new Date().toISOString() }),
      channelOf({
        id: 9,
        kind: 'dingtalk',
        name: '家人群',
        enabled: false,
        events: ['device_offline'],
        last_sent_at: '2026-11-01T00:00:00.000Z',
        last_failure: { at: '2026-11-02T00:00:00.000Z', why: 'rejected' },
      }),
      channelOf({
        id: 10,
        kind: 'email',
        name: '邮件',
        last_failure: { at: '2026-11-02T00:00:00.000Z', why: 'email_missing' },
      }),
    ],
  });
  await screen.findByText(/^上次成功/);
  expect(screen.getAllByText('新的登录')).toHaveLength(2);
  screen.getByText('钉钉群机器人');
  screen.getByText(/发送失败：对方拒绝接收。请核对加签密钥/);
  screen.getByText('已停用');
  screen.getByText(/发送失败：账号没有绑定邮箱/);
  screen.getByRole('link', { name: '去绑定邮箱' });
});

test('a test shows at once whether its message arrived, and what to do if it did not', async () => {
  let answer: (delivery: unknown) => void = () => undefined;
  open({ channels: [channelOf()] }, { [sendTest]: () => new Promise((resolve) => (answer = resolve)) });
  await screen.findByText('还没有发送过提醒');
  const button = screen.getByRole('button', { name: '发送测试 家里的接收器' });
  fireEvent.click(button);
  await screen.findByText('正在发送测试提醒…');
  answer(deliveryOf(1, { event: 'test', state: 'failed', failure: 'unreachable' }));
  await screen.findByText('发送失败：连不上对方的服务器。请检查地址是否正确，对方的服务是否正常。');
  fireEvent.click(button);
  await waitFor(() => expect(screen.queryByText(/连不上对方的服务器/)).toBeNull());
  answer(deliveryOf(2, { event: 'test' }));
  await screen.findByText('测试提醒已发送，请查看是否收到。');
});

test('a later message with another result replaces the result of a test', async () => {
  const failedAt = '2026-11-02T00:00:00.000Z';
  const account: Account = { channels: [channelOf()] };
  open(account, {
    [sendTest]: () => {
      account.channels = [channelOf({ last_failure: { at: failedAt, why: 'timeout' } })];
      return deliveryOf(1, { event: 'test', state: 'failed', failure: 'timeout', created_at: failedAt });
    },
    [change]: () => {
      account.channels = [channelOf({ last_sent_at: '2026-11-03T00:00:00.000Z' })];
      return account.channels[0];
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '发送测试 家里的接收器' }));
  // The result appears once, not also as the last message.
  expect(await screen.findAllByText(/对方的服务器没有及时回应/)).toHaveLength(1);
  fireEvent.click(screen.getByRole('switch', { name: '启用 家里的接收器' }));
  await screen.findByText(/^上次成功/);
  expect(screen.queryByText(/对方的服务器没有及时回应/)).toBeNull();
});

test('a double click sends one test', async () => {
  let answer: (delivery: unknown) => void = () => undefined;
  const calls = open({ channels: [channelOf()] }, { [sendTest]: () => new Promise((resolve) => (answer = resolve)) });
  const button = await screen.findByRole('button', { name: '发送测试 家里的接收器' });
  // Before the next render, as with two clicks within a few milliseconds.
  act(() => {
    button.click();
    button.click();
  });
  await screen.findByText('正在发送测试提醒…');
  answer(deliveryOf(1, { event: 'test' }));
  await screen.findByText('测试提醒已发送，请查看是否收到。');
  expect(inputsOf(calls, sendTest)).toHaveLength(1);
});

test('the limit of tests is reported beside the button', async () => {
  open({ channels: [channelOf()] }, { [sendTest]: () => Promise.reject(refusal('request.too-many')) });
  fireEvent.click(await screen.findByRole('button', { name: '发送测试 家里的接收器' }));
  await screen.findByText('操作过于频繁，请稍后再试');
});

test('a channel can be switched off, and deleted after a question', async () => {
  const account: Account = { channels: [channelOf()] };
  const calls = open(account, {
    [change]: () => (account.channels = [channelOf({ enabled: false })])[0],
    [remove]: () => {
      account.channels = [];
      return { ok: true };
    },
  });
  fireEvent.click(await screen.findByRole('switch', { name: '启用 家里的接收器' }));
  await screen.findByText('已停用');
  expect(inputsOf(calls, change)).toEqual([{ params: { id: 8 }, body: { enabled: false } }]);

  fireEvent.click(screen.getByRole('button', { name: '删除 家里的接收器' }));
  await screen.findByText('之后不再通过它提醒您，它发送过的记录也会一并删除。');
  expect(inputsOf(calls, remove)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '删除' }));
  await screen.findByText('还没有提醒方式');
  expect(inputsOf(calls, remove)).toEqual([{ params: { id: 8 } }]);
});

test('the user chooses after how long an offline device causes an alert', async () => {
  const account: Account = { channels: [channelOf()] };
  const calls = open(account, {
    [settings]: () => {
      account.minutes = 30;
      return { offline_after_minutes: 30, channels: account.channels };
    },
  });
  const choice = await screen.findByRole('combobox', { name: '设备离线多久后提醒' });
  screen.getByText('5 分钟');
  fireEvent.mouseDown(choice);
  fireEvent.click(await screen.findByText('30 分钟'));
  await screen.findByText('设备离线 30 分钟后提醒您');
  expect(inputsOf(calls, settings)).toEqual([{ body: { offline_after_minutes: 30 } }]);
});
