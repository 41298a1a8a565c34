import type { OrderKind, OrderStatus, PaymentProviderId } from '@tongtu/contract';
import { quoted } from '../devices/names.ts';

export const providerWords: Record<PaymentProviderId, string> = { alipay: '支付宝', wechat: '微信支付' };

export const orderWords: { status: Record<OrderStatus, string>; kind: Record<OrderKind, string> } = {
  status: { open: '等待支付', paid: '已支付', closed: '已关闭', refunded: '已退款' },
  kind: { new: '新购', renew: '续费', upgrade: '升级', bulk: '批量购买', key: '兑换码', reward: '邀请奖励' },
};

export const ordersText = {
  title: '我的订单',
  failed: '订单加载失败',
  empty: '还没有订单',
  emptyText: '购买、续费、升级和兑换的记录都在这里。',
  toPlans: '购买套餐',
  pages: '订单的分页',
  pay: '去支付',
  payLabel: (number: string) => `去支付：订单 ${number}`,
  cancel: '取消订单',
  cancelLabel: (number: string) => `取消订单 ${number}`,
  cancelTitle: '取消这个订单？',
  cancelText: '取消后不能再付款。如果您已经付了款，到账后会自动原路退回。',
  keep: '不取消',
  cancelled: '订单已取消',
  details: '详情',
  detailsLabel: (number: string) => `订单 ${number} 的详情`,
  closesAt: (at: string) => `${at} 前付款，否则自动关闭`,
  quantity: (count: number) => `${count} 个兑换码`,
  partlyRefunded: (amount: string) => `已退 ${amount}`,
  labels: {
    number: '订单号',
    kind: '类型',
    product: '套餐',
    quantity: '数量',
    amount: '金额',
    refunded: '已退款',
    returned: '退回的付款',
    created: '下单时间',
    paid: '支付时间',
    closes: '自动关闭',
    device: '设备',
  },
};

export const payText = {
  title: '支付',
  resultTitle: '订单结果',
  amount: '应付金额',
  provider: '支付方式',
  qr: (provider: string) => `${provider}付款的二维码`,
  scan: (provider: string) => `请用${provider}扫码付款`,
  expiresIn: (time: string) => `二维码 ${time} 后失效`,
  expired: '二维码已失效',
  refresh: '刷新二维码',
  unavailable: '暂时没有拿到付款二维码',
  noProvider: '当前服务没有开通在线支付，请联系管理员或使用兑换码。',
  waiting: '正在等待付款，付款后这里会自动更新',
  unreachable: '连不上服务器，正在重试；已经付的款不会丢失。',
  onPhone: '在这部手机上付款：',
  openAlipay: '打开支付宝',
  wechatOnPhone: '微信支付需要用另一部手机扫码；也可以改用支付宝。',
  closesAt: (at: string) => `订单 ${at} 自动关闭`,
  cancel: '取消订单',
  later: '稍后支付',
  done: '完成',
  paid: '支付成功',
  free: '领取成功',
  redeemed: '兑换成功',
  results: {
    new: (product: string) => `${quoted(product)}已生效`,
    renew: (product: string) => `${quoted(product)}已续费`,
    upgrade: (product: string) => `已升级为${quoted(product)}`,
    bulk: (product: string, count: number) => `${quoted(product)}的 ${count} 个兑换码已生成`,
  },
  until: (at: string) => `有效期到 ${at}`,
  boundTo: (device: string) => `用于设备${quoted(device)}`,
  unbound: '还没有绑定设备，请在“我的套餐”里绑定。',
  bulkPlace: '兑换码在所选的渠道里；没有选渠道时，在“我的兑换码”里。',
  toKeys: '查看兑换码',
  closed: '订单已关闭',
  closedText: '订单已取消，或超过 24 小时没有付款。如果您刚刚付了款，会自动原路退回。',
  /** The reason ends with 自动退回. */
  returned: (amount: string, reason: string, isDone: boolean) =>
    `已收到 ${amount}：${reason}（${isDone ? '已原路退回' : '退款处理中'}）`,
  refunded: '订单已退款',
  refundedText: (amount: string) => `${amount} 已原路退回，到账时间以支付宝或微信支付为准。`,
};
