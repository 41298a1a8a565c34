import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { InvitationAff, InvitationReward } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { show } from '../../../testing/show.tsx';
import { keyText } from '../testing/key-fixtures.ts';
import { pageOf, planOf, shopAnswers } from '../testing/shop-fixtures.ts';
import { InvitePage } from './invite-page.tsx';

afterEach(cleanup);

const aff = 'GET /api/marketing/invitation_aff/';
const list = 'GET /api/marketing/invitation_rewards/';
const claim = 'POST /api/marketing/invitation_rewards/';
const bind = 'POST /api/marketing/bind_invitation/';
const plans = 'GET /api/user/product/plans/';

function affOf(given: Partial<InvitationAff> = {}): InvitationAff {
  return {
    ...{ code: 'ABCD2345', link: 'https://example.com/#/login?aff=ABCD2345', invited_by: '', can_bind_until: null },
    ...{ invited_count: 2, online_count: 1, paid_count: 1, pending_days: 7, claimable_days: 30, claimed_days: 0 },
    ...{ days_per_event: { joined: 7, paid: 30 }, monthly_cap: 20 },
    invitees: [
      { username: '小***王', joined_at: '2026-11-20T00:00:00.000Z', has_been_online: true, has_paid: true },
      { username: '用***5', joined_at: '2026-11-21T00:00:00.000Z', has_been_online: false, has_paid: false },
    ],
    ...given,
  };
}

function rewardOf(given: Partial<InvitationReward> = {}): InvitationReward {
  return {
    ...{ id: 7, event: 'paid', status: 'claimable', invitee: '小***王', days: 30, claimed_at: null, claimed_as: null },
    ...{ created_at: '2026-11-20T00:00:00.000Z', claimable_at: '2026-11-22T00:00:00.000Z', void_reason: null },
    ...given,
  };
}

function open(answers: Parameters<typeof show>[1] = {}) {
  return show(<InvitePage />, {
    ...shopAnswers(),
    [aff]: () => affOf(),
    [list]: () => pageOf([rewardOf()]),
    [plans]: () => pageOf([planOf()]),
    ...answers,
  });
}

const refusal = (code: string, detail: string) =>
  Promise.reject(
    new ApiError({
      type: 'problem',
      status: 409,
      code,
      detail,
      fields: {},
      requestId: '',
      retryAfterSeconds: undefined,
    }),
  );

async function openClaim() {
  fireEvent.click(await screen.findByRole('button', { name: '领取30 天，来自 小***王' }));
  return within(await screen.findByRole('dialog'));
}

test('shows the link, what one gets, and who came', async () => {
  open();
  await screen.findByText('https://example.com/#/login?aff=ABCD2345');
  screen.getByRole('img', { name: '邀请链接的二维码' });
  screen.getByRole('button', { name: '复制邀请链接' });
  screen.getByText('ABCD2345');
  expect(screen.getByText('已领取').nextSibling?.textContent).toBe('0 天');
  screen.getByText('好友注册并让第一台设备上线：奖励 7 天，24 小时后可领取');
  screen.getByText('已付款');
  screen.getByText('已注册');
  expect(screen.queryByText('填写邀请码')).toBeNull();
});

test('each reward says its state and the reason', async () => {
  open({
    [list]: () =>
      pageOf([
        rewardOf({ id: 1, event: 'joined', days: 7, status: 'pending' }),
        rewardOf({ id: 2, status: 'void', void_reason: 'refunded' }),
        rewardOf({ id: 3, status: 'claimed', claimed_as: 'key', claimed_at: '2026-11-23T00:00:00.000Z' }),
      ]),
  });
  await screen.findByText('设备上线');
  screen.getByText('好友的付款已退回');
  screen.getByText('已换成兑换码');
  expect(screen.queryByRole('button', { name: /^领取/ })).toBeNull();
});

test('a reward is claimed as days on the only device with a paid plan', async () => {
  const calls = open({ [claim]: () => ({ reward: rewardOf({ status: 'claimed' }), key: null }) });
  const dialog = await openClaim();
  fireEvent.click(await dialog.findByRole('button', { name: '领取' }));
  await screen.findByText('已给“家里的群晖”加 30 天');
  expect(calls.find(({ key }) => key === claim)?.input).toEqual({ body: { id: 7, as: 'days', router: 7 } });
});

test('without a paid plan it becomes a key, which is shown with its QR code', async () => {
  const key = keyText(5);
  const calls = open({
    [plans]: () => pageOf([planOf({ is_free: true })]),
    [claim]: () => ({ reward: rewardOf({ status: 'claimed' }), key }),
  });
  const dialog = await openClaim();
  await dialog.findByText('没有付费套餐的设备，请换成兑换码');
  fireEvent.click(dialog.getByRole('button', { name: '领取' }));
  await screen.findByText(key);
  screen.getByRole('img', { name: '兑换码的二维码' });
  expect(calls.find((call) => call.key === claim)?.input).toEqual({ body: { id: 7, as: 'key' } });
});

test('a refused claim says why and stays open', async () => {
  open({ [claim]: () => refusal('plan.too-far-ahead', '太远了') });
  const dialog = await openClaim();
  fireEvent.click(await dialog.findByRole('button', { name: '领取' }));
  await dialog.findByRole('alert');
  dialog.getByRole('radio', { name: '换成兑换码' });
});

test('an account that joined not long ago enters a code', async () => {
  let inviter = '';
  const canBind = () =>
    affOf({ invited_by: inviter, can_bind_until: inviter === '' ? '2126-11-28T00:00:00.000Z' : null });
  const calls = open({
    [aff]: canBind,
    [bind]: () => {
      inviter = '李***明';
      return canBind();
    },
  });
  const field = await screen.findByRole('textbox', { name: '填写邀请码' });
  fireEvent.click(screen.getByRole('button', { name: '提交' }));
  await screen.findByText('请输入邀请码');
  fireEvent.change(field, { target: { value: ' abcd-2345 ' } });
  fireEvent.click(screen.getByRole('button', { name: '提交' }));
  await screen.findByText('您的邀请人：李***明');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(calls.find(({ key }) => key === bind)?.input).toEqual({ body: { code: 'abcd-2345' } });
});

test('a wrong code is refused beside the field', async () => {
  open({
    [aff]: () => affOf({ can_bind_until: '2126-11-28T00:00:00.000Z' }),
    [bind]: () => refusal('invitation-code.unknown', ''),
  });
  fireEvent.change(await screen.findByRole('textbox', { name: '填写邀请码' }), { target: { value: 'ABCDEFGH' } });
  fireEvent.click(screen.getByRole('button', { name: '提交' }));
  await screen.findByRole('alert');
});

test('nobody came yet, and what cannot be loaded', async () => {
  open({ [aff]: () => affOf({ invitees: [], invited_count: 0 }), [list]: () => pageOf([]) });
  await screen.findByText('还没有人通过您的链接注册');
  await screen.findByText('还没有奖励');
  cleanup();
  open({ [aff]: () => Promise.reject(new ApiError({ type: 'network' })) });
  await screen.findByText('邀请信息加载失败');
});

test('without billing the screen does not exist', async () => {
  const calls = open(shopAnswers({ billing: 'off' }));
  await expect.poll(() => calls.some(({ key }) => key === 'GET /api/site/config/')).toBe(true);
  expect(calls.some(({ key }) => key === aff)).toBe(false);
  expect(screen.queryByText('邀请好友')).toBeNull();
});
