import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Security } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { passkeyOf, profileOf, refusal, securityOf } from '../testing/account-fixtures.ts';
import { SecondFactorSection } from './second-factor-section.tsx';

setUpTimes();
afterEach(cleanup);

const codes = ['aaaaa-bbbbb', 'ccccc-ddddd'];

/** The section with a fake server, whose `security` a test may change. */
function open(security: Security, answers: Parameters<typeof show>[1] = {}) {
  return show(
    <ConfirmProvider>
      <SecondFactorSection />
    </ConfirmProvider>,
    {
      'GET /api/user/security/': () => ({ ...security }),
      'GET /api/user/trusted_browsers/': () => [],
      'GET /api/profile/': () => [profileOf()],
      ...answers,
    },
  );
}

async function confirmIn(title: string, button: string): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: title });
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
}

test('an app is set up by its code, and the recovery codes are shown once', async () => {
  const security = securityOf();
  const calls = open(security, {
    'POST /api/user/totp/': () => ({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x' }),
    'POST /api/user/totp/confirm/': (input) => {
      if (JSON.stringify(input).includes('000000')) return Promise.reject(refusal('second-factor.wrong'));
      Object.assign(security, { totp: true, recovery_codes_left: 2 });
      return { recovery_codes: codes };
    },
  });
  await screen.findByText('未启用');
  fireEvent.click(screen.getByRole('button', { name: '启用身份验证器应用' }));
  await screen.findByText('JBSW Y3DP EHPK 3PXP');

  fireEvent.change(screen.getByLabelText('应用中显示的 6 位数字'), { target: { value: '000 000' } });
  await confirmIn('设置身份验证器应用', '启用');
  await screen.findByText('动态口令不正确，请输入应用里的下一个；如果一直不对，请把手机的时间设为自动。');
  fireEvent.change(screen.getByLabelText('应用中显示的 6 位数字'), { target: { value: '123456' } });
  await confirmIn('设置身份验证器应用', '启用');

  const list = await screen.findByRole('list', { name: '恢复码' });
  expect([...list.children].map(({ textContent }) => textContent)).toEqual(codes);
  fireEvent.keyDown(window, { key: 'Escape' });
  expect(screen.getByRole('list', { name: '恢复码' })).toBe(list);
  fireEvent.click(screen.getByRole('button', { name: '我已保存' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: '恢复码' })).toBeNull());
  expect(calls.filter(({ key }) => key === 'POST /api/user/totp/confirm/').map(({ input }) => input)).toEqual([
    { body: { code: '000000' } },
    { body: { code: '123456' } },
  ]);
  await screen.findByRole('button', { name: '停用身份验证器应用' });
});

test('a setup that was closed starts again with another secret', async () => {
  let made = 0;
  open(securityOf(), { 'POST /api/user/totp/': () => ({ secret: `SECRET${made++}`, uri: 'otpauth://totp/x' }) });
  fireEvent.click(await screen.findByRole('button', { name: '启用身份验证器应用' }));
  await screen.findByText('SECR ET0');
  fireEvent.keyDown(window, { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: '启用身份验证器应用' }));
  await screen.findByText('SECR ET1');
});

test('a user who deletes the last passkey reads that this switches the second step off', async () => {
  const security = securityOf({ passkeys: [passkeyOf()], recovery_codes_left: 10 });
  const calls = open(security, {
    'DELETE /api/user/passkeys/{id}/': () => {
      Object.assign(security, { passkeys: [], recovery_codes_left: 0 });
      return { ok: true };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '删除通行密钥 我的手机' }));
  await screen.findByText(/^添加于 .+。这是最后一种第二步验证，删除后两步登录会随之关闭。$/);
  await confirmIn('删除通行密钥“我的手机”？', '删除');
  await screen.findByText('未启用');
  expect(calls.find(({ key }) => key === 'DELETE /api/user/passkeys/{id}/')?.input).toEqual({ params: { id: 4 } });
});

test('a passkey is renamed, or the user reads why it is not', async () => {
  const security = securityOf({ passkeys: [passkeyOf()], recovery_codes_left: 10 });
  let isDeleted = true;
  open(security, {
    'PATCH /api/user/passkeys/{id}/': () => {
      if (isDeleted) return Promise.reject(refusal('passkey.not-found'));
      security.passkeys = [passkeyOf({ name: '新手机' })];
      return security.passkeys[0];
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '修改名称 我的手机' }));
  const field = screen.getByRole('textbox', { name: '名称 我的手机' });
  fireEvent.change(field, { target: { value: '新手机' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await screen.findByText('没有找到该通行密钥');
  isDeleted = false;
  fireEvent.keyDown(field, { key: 'Enter' });
  await screen.findByRole('button', { name: '修改名称 新手机' });
});

test('the section warns of few recovery codes, and makes new ones', async () => {
  const security = securityOf({ totp: true, recovery_codes_left: 2 });
  open(security, {
    'POST /api/user/recovery_codes/': () => {
      security.recovery_codes_left = 10;
      return { recovery_codes: codes };
    },
  });
  await screen.findByText('只剩 2 个可用，请重新生成。');
  fireEvent.click(screen.getByRole('button', { name: '重新生成恢复码' }));
  await confirmIn('重新生成恢复码？', '重新生成');
  await screen.findByRole('list', { name: '恢复码' });
  await screen.findByText(/^还有 10 个可用/);
});

test('the second step is switched off as a whole', async () => {
  const security = securityOf({ totp: true, passkeys: [passkeyOf()], recovery_codes_left: 10 });
  const calls = open(security, {
    'PATCH /custom/profile/': () => {
      Object.assign(security, securityOf());
      return profileOf();
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '关闭两步登录' }));
  await confirmIn('关闭两步登录？', '关闭两步登录');
  await screen.findByText('未启用');
  expect(calls.find(({ key }) => key === 'PATCH /custom/profile/')?.input).toEqual({ body: { two_step: false } });
});

test('a section that failed to load says so, and can be loaded again', async () => {
  let isBroken = true;
  open(securityOf(), {
    'GET /api/user/security/': () => (isBroken ? Promise.reject(new Error('broken')) : securityOf()),
  });
  await screen.findByText('暂时无法加载');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await screen.findByText('未启用');
});

test.each([
  [0, '已用完，请重新生成。'],
  [3, '只剩 3 个可用，请重新生成。'],
])('with %i recovery codes left the section says: %s', async (left, words) => {
  open(securityOf({ totp: true, recovery_codes_left: left }));
  await screen.findByText(words);
});

test('a browser that skips the second step is listed until it is no longer trusted', async () => {
  const browsers = [
    {
      ...{ id: 9, device: 'Firefox（Linux）', ip: '203.0.113.9', place: '', is_current: true },
      ...{ last_used_at: '2026-11-01T00:00:00.000Z', trusted_until: '2026-12-01T00:00:00.000Z' },
    },
  ];
  const remove = 'DELETE /api/user/trusted_browsers/{id}/';
  const calls = open(securityOf({ totp: true, recovery_codes_left: 10 }), {
    'GET /api/user/trusted_browsers/': () => [...browsers],
    [remove]: () => {
      browsers.pop();
      return { ok: true };
    },
  });
  const list = await screen.findByRole('list', { name: '信任的浏览器' });
  within(list).getByText(/^信任到 /);
  fireEvent.click(within(list).getByRole('button', { name: '不再信任 Firefox（Linux）' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: '信任的浏览器' })).toBeNull());
  expect(calls.find(({ key }) => key === remove)?.input).toEqual({ params: { id: 9 } });
});

test('a passkey that cannot log in alone says so', async () => {
  open(
    securityOf({ passkeys: [passkeyOf({ is_discoverable: false }), passkeyOf({ id: 5 })], recovery_codes_left: 10 }),
  );
  await screen.findByText('只能用作第二步，不能直接登录');
});

test('a passkey that is to be confirmed since the password was reset says how', async () => {
  open(securityOf({ passkeys: [passkeyOf({ needs_password: true }), passkeyOf({ id: 5 })], recovery_codes_left: 10 }));
  await screen.findByText('密码重设过：登录时在第二步用它一次，之后才能直接登录');
});
