import type { InvitationReward } from '@tongtu/contract';
import { quoted } from '../devices/names.ts';

type Event = InvitationReward['event'];
type Status = InvitationReward['status'];
type VoidReason = NonNullable<InvitationReward['void_reason']>;

export const inviteText = {
  title: '邀请好友',
  failed: '邀请信息加载失败',
  linkTitle: '我的邀请链接',
  link: '邀请链接',
  code: '邀请码',
  qr: '邀请链接的二维码',
  localLink: '这个链接只能在运行通途的这台电脑上打开。要邀请别人，请先按部署文档设置 PUBLIC_URL。',
  linkHint: '好友通过链接或二维码注册，或在注册后 7 天内填写邀请码，都算您邀请的。',
  rulesTitle: '您能得到什么',
  joinedRule: (days: number) => `好友注册并让第一台设备上线：奖励 ${days} 天，24 小时后可领取`,
  paidRule: (days: number) => `好友首次付款：奖励 ${days} 天，7 天后可领取，退款则取消`,
  capRule: (count: number) => `每月最多 ${count} 个奖励；自己邀请自己无效`,
  claimRule: '可以给一台有付费套餐的设备加天数，也可以换成兑换码自用或送人',
  figures: { invited: '已邀请', online: '设备上线过', paid: '付过款' },
  people: (count: number) => `${count} 人`,
  inviteesTitle: '我邀请的好友',
  noInvitees: '还没有人通过您的链接注册',
  newestOnly: (count: number) => `这里是最近的 ${count} 人`,
  joinedAt: (at: string) => `${at} 注册`,
  states: { paid: '已付款', online: '设备上线过', joined: '已注册' },
  bindTitle: '填写邀请码',
  bindHint: (at: string) => `您是朋友介绍来的吗？${at} 之前、付款之前，可以填写一次，不能更改。`,
  bindMissing: '请输入邀请码',
  bind: '提交',
  bound: '邀请码已填写',
  invitedBy: (name: string) => `您的邀请人：${name}`,
};

export const rewardText = {
  title: '我的奖励',
  failed: '奖励加载失败',
  empty: '还没有奖励',
  emptyText: '把链接发给好友，好友的设备上线后，奖励会出现在这里。',
  pages: '奖励的分页',
  figures: { pending: '待生效', claimable: '可领取', claimed: '已领取' },
  sum: (days: number) => `${days} 天`,
  events: { joined: '设备上线', paid: '首次付款' } satisfies Record<Event, string>,
  statuses: { pending: '待生效', claimable: '可领取', claimed: '已领取', void: '已取消' } satisfies Record<
    Status,
    string
  >,
  voidReasons: {
    refunded: '好友的付款已退回',
    'same-person': '与您的账号像是同一个人：手机号、微信、设备或网络相同',
    'monthly-cap': '超过了本月的上限',
  } satisfies Record<VoidReason, string>,
  from: (invitee: string) => `来自 ${invitee}`,
  claimableAt: (at: string) => `${at} 后可领取`,
  claimedAs: { days: '已加到设备', key: '已换成兑换码' },
  claimedAt: (at: string) => `${at} 领取`,
  claim: '领取',
  claimLabel: (days: string, invitee: string) => `领取${days}，来自 ${invitee}`,
};

export const claimText = {
  title: (days: string) => `领取 ${days}`,
  as: '领取方式',
  days: '给一台设备加天数',
  key: '换成兑换码',
  keyHint: '兑换码可以自己用，也可以送给别人。以后在“兑换码”里还能看到。',
  device: '选择设备',
  noDevice: '没有付费套餐的设备，请换成兑换码',
  until: (name: string, at: string) => `${name}（有效期到 ${at}）`,
  submit: '领取',
  done: (days: string, device: string) => `已给${quoted(device)}加 ${days}`,
};
