import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Profile, Security } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { useProfile } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { profileOf, refusal, securityOf } from '../testing/account-fixtures.ts';
import { WaysInSection } from './ways-in-section.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function Section() {
  const profile = useProfile();
  return profile ? <WaysInSection profile={profile} /> : null;
}

type Account = { profile: Profile; security: Security };

/** The section over a server that keeps the account, which a test may change. */
function open({ profile, security }: Account, answers: Parameters<typeof show>[1] = {}) {
  return show(
    <ConfirmProvider>
      <Section />
    </ConfirmProvider>,
    {
      'GET /api/user/security/': () => ({ ...security }),
      'GET /api/profile/': () => [{ ...profile }],
      'GET /api/site/config/': () => ({ phone_login: true, mail_codes: true, phone_regions: ['86'], sso_url: null }),
      'POST /api/verify/sms/send/': () => ({ retry_after: 60, expires_in: 300 }),
      ...answers,
    },
  );
}

function fill(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

const bodiesOf = (calls: { key: string; input: unknown }[], key: string) =>
  calls.filter((call) => call.key === key).map(({ input }) => (input as { body: unknown }).body); // as calls are typed

test('who has no password sets a first one, without being asked for an old one', async () => {
  const account = { profile: profileOf(), security: securityOf({ has_password: false }) };
  const calls = open(account, {
    'POST /custom/password/': () => {
      account.security.has_password = true;
      return { ok: true };
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: '设置密码' }));
  await screen.findByLabelText('新密码');
  expect(screen.queryByLabelText('原密码')).toBeNull();
  fill('新密码', 'a good password');
  fill('再次输入新密码', 'another password');
  fireEvent.click(screen.getByRole('button', { name: '设置' }));
  await screen.findByText('两次输入的新密码不一致');
  fill('再次输入新密码', 'a good password');
  fireEvent.click(screen.getByRole('button', { name: '设置' }));
  await screen.findByRole('button', { name: '修改密码' });
  expect(bodiesOf(calls, 'POST /custom/password/')).toEqual([{ new_password: 'a good password' }]);
});

test('a new password that everybody guesses is refused before it is sent', async () => {
  const profile = profileOf({
    username: 'katherine',
    email: 'kate.winters@example.com',
    phone_number: '+8613951728460',
  });
  const calls = open({ profile, security: securityOf({ has_password: false }) }, {});
  fireEvent.click(await screen.findByRole('button', { name: '设置密码' }));
  await screen.findByLabelText('新密码');
  for (const [weak, why] of [
    ['short', '新密码至少 10 个字符'],
    ['aaaaaaaaaa', '新密码至少包含 5 个不同的字符'],
    ['qwertyuiop', '新密码不能是连续的字母、数字或键盘上相邻的按键'],
    ['Katherine1', '新密码不能与用户名、手机号或邮箱相同，也不能只多几个字符'],
    ['13951728460', '新密码不能与用户名、手机号或邮箱相同，也不能只多几个字符'],
  ] as const) {
    fill('新密码', weak);
    fill('再次输入新密码', weak);
    fireEvent.click(screen.getByRole('button', { name: '设置' }));
    await screen.findByText(why);
  }
  expect(bodiesOf(calls, 'POST /custom/password/')).toEqual([]);
});

test('a wrong old password is told at its field', async () => {
  open(
    { profile: profileOf(), security: securityOf() },
    { 'POST /custom/password/': () => Promise.reject(refusal('password.wrong')) },
  );
  fireEvent.click(await screen.findByRole('button', { name: '修改密码' }));
  await screen.findByLabelText('原密码');
  fill('原密码', 'not it');
  fill('新密码', 'a good password');
  fill('再次输入新密码', 'a good password');
  fireEvent.submit(screen.getByLabelText('原密码'));
  await screen.findByText('密码不正确');
});

test('a number is bound in its international form, and its dialog goes when it is', async () => {
  const account = { profile: profileOf(), security: securityOf() };
  const calls = open(account, {
    'POST /api/verify/phone/bind/': () => {
      Object.assign(account.profile, { phone_number: '+8613800138000', phone_bound_at: '2026-11-20T00:00:00.000Z' });
      return { ok: true };
    },
  });
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '绑定手机号' }).disabled).toBe(false),
  );
  fireEvent.click(screen.getByRole('button', { name: '绑定手机号' }));
  await screen.findByLabelText('手机号');
  fill('手机号', '138 0013 8000');
  fill('短信验证码', '123456');
  fireEvent.submit(screen.getByLabelText('短信验证码'));
  await screen.findByText(/^\+8613800138000，.* 绑定$/);
  expect(bodiesOf(calls, 'POST /api/verify/phone/bind/')).toEqual([{ phone: '+8613800138000', code: '123456' }]);
  expect(screen.queryByText('先确认是您本人')).toBeNull();
});

test('the number that somebody wanted to log in by is not offered as the new one, nor is the new one kept', async () => {
  sessionStorage.setItem('tongtu.login-phone', '13700137000');
  open({ profile: profileOf(), security: securityOf() });
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '绑定手机号' }).disabled).toBe(false),
  );
  fireEvent.click(screen.getByRole('button', { name: '绑定手机号' }));
  expect((await screen.findByLabelText<HTMLInputElement>('手机号')).value).toBe('');
  fill('手机号', '13800138000');
  fireEvent.click(screen.getByRole('button', { name: '获取验证码' }));
  await screen.findByText(/^验证码已发送，5 分钟内有效/);
  expect(sessionStorage.getItem('tongtu.login-phone')).toBe('13700137000');
});

test('a number is replaced by the code that the one before has had', async () => {
  const account = { profile: profileOf({ phone_number: '+8613800138000' }), security: securityOf() };
  const calls = open(account, { 'POST /api/verify/phone/rebind/': () => ({ ok: true }) });
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '更换手机号' }).disabled).toBe(false),
  );
  fireEvent.click(screen.getByRole('button', { name: '更换手机号' }));
  await screen.findByLabelText('原手机号收到的验证码');
  const [sendToOld] = screen.getAllByRole('button', { name: '获取验证码' });
  if (sendToOld) fireEvent.click(sendToOld);
  await screen.findByText('验证码已发送，5 分钟内有效');
  fill('原手机号收到的验证码', '111111');
  fill('新手机号', '13900139000');
  fill('短信验证码', '222222');
  fireEvent.submit(screen.getByLabelText('短信验证码'));
  await waitFor(() => expect(bodiesOf(calls, 'POST /api/verify/phone/rebind/')).toHaveLength(1));
  expect(bodiesOf(calls, 'POST /api/verify/sms/send/')).toEqual([{ purpose: 'rebind_old' }]);
  expect(bodiesOf(calls, 'POST /api/verify/phone/rebind/')).toEqual([
    { phone: '+8613900139000', code: '222222', old_code: '111111' },
  ]);
});

test('without SMS no number can be bound, and it is said why', async () => {
  open(
    { profile: profileOf(), security: securityOf() },
    { 'GET /api/site/config/': () => ({ phone_login: false, phone_regions: ['86'], sso_url: null }) },
  );
  await screen.findByText('当前服务没有开通短信，暂时不能绑定手机号。');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '绑定手机号' }).disabled).toBe(true);
});

test('a WeChat that is the only way in stays bound', async () => {
  const wechat = { nickname: '小李', bound_at: '2026-11-01T00:00:00.000Z' };
  open(
    { profile: profileOf(), security: securityOf({ has_password: false, wechat }) },
    { 'PATCH /custom/profile/': () => Promise.reject(refusal('user.last-way-in')) },
  );
  await screen.findByText(/^小李，.* 绑定$/);
  fireEvent.click(screen.getByRole('button', { name: '解除绑定' }));
  await screen.findByRole('dialog', { name: '解除微信绑定？' });
  const confirm = screen.getAllByRole('button', { name: '解除绑定' }).at(-1);
  if (confirm) fireEvent.click(confirm);
  await screen.findByText('这是唯一的登录方式，请先设置密码或绑定手机号');
});

test('Enter tells of an address that is none in our words, not the browser in its own language', async () => {
  open({ profile: profileOf(), security: securityOf() });
  fireEvent.click(await screen.findByRole('button', { name: '绑定邮箱' }));
  fill('邮箱地址', 'kate');
  const { form } = screen.getByLabelText<HTMLInputElement>('邮箱地址');
  form?.requestSubmit(); // as a browser does at Enter
  await screen.findByText('请输入正确的邮箱地址');
});

test('without mail no address can be bound, and the row says why', async () => {
  open(
    { profile: profileOf({ email: '' }), security: securityOf() },
    { 'GET /api/site/config/': () => ({ phone_login: true, mail_codes: false, phone_regions: ['86'], sso_url: null }) },
  );

  await screen.findByText('当前服务没有开通邮件，暂时不能绑定邮箱。');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '绑定邮箱' }).disabled).toBe(true);
});
