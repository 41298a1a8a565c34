import type { ManagedOrder, OrderKind } from '@tongtu/contract';

export const managedOrdersText = {
  title: '订单管理',
  failed: '订单加载失败',
  count: (count: number) => `共 ${count} 个订单`,
  search: '搜索单号、交易号或用户名',
  status: '状态',
  everyStatus: '全部状态',
  kind: '类型',
  everyKind: '全部类型',
  noUser: '账号已删除',
  refunded: (amount: string) => `已退 ${amount}`,
  refund: '退款…',
  refundLabel: (number: string) => `订单 ${number} 退款`,
  details: '详情',
  detailsLabel: (number: string) => `订单 ${number} 的详情`,
  user: '用户',
  payments: '支付',
  noPayment: '没有支付记录',
  transaction: '交易号',
  paidAt: (at: string) => `${at} 支付`,
  refunds: '退款',
  automatic: '自动',
  by: (name: string) => `${name} 操作`,
};

export const paymentStatusWords: Record<ManagedOrder['payments'][number]['status'], string> = {
  waiting: '等待支付',
  paid: '已支付',
  closed: '已关闭',
};

type Refund = ManagedOrder['payments'][number]['refunds'][number];
export const refundStatusWords: Record<Refund['status'], string> = {
  requested: '已申请',
  pending: '处理中',
  done: '已退回',
  failed: '失败，会自动重试',
};

export const refundText = {
  title: (number: string) => `退款：订单 ${number}`,
  left: '可退金额',
  how: '退款方式',
  full: '全额',
  partial: '部分',
  amount: '退款金额（元）',
  amountRange: (max: string) => `请输入 0.01 到 ${max} 之间的金额`,
  reason: '原因',
  reasonRequired: '请填写原因',
  reasonHint: '会记入审计日志',
  partialEffect: '部分退款不收回任何东西，套餐和兑换码照常使用。',
  fullEffect: {
    new: '全部退完后，收回这笔订单的天数：套餐相应提前到期，设备会立即受影响。',
    renew: '全部退完后，收回这次续费的天数，套餐相应提前到期。',
    upgrade: '全部退完后，套餐恢复为升级之前的内容，到期时间不变。',
    bulk: '全部退完后，这笔订单的兑换码全部作废。其中有已经兑换的，就不能全额退款。',
    key: '',
    reward: '',
  } satisfies Record<OrderKind, string>,
  route: '款项按原支付方式退回，不能撤销。',
  submit: (amount: string) => `退款 ${amount}`,
  done: (amount: string) => `已提交退款 ${amount}`,
};
