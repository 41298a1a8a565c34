import { plainName, quoted } from '../devices/names.ts';
import { daysText } from './money.ts';

/** What a product allows. */
export const termsText = {
  bandwidth: (rate: string) => `带宽 ${rate}`,
  mappings: (count: number) => `${count} 条域名映射`,
  allApps: '全部远程应用和文件管理',
  noApps: '不含远程应用',
  apps: (words: string) => `远程应用：${words}`,
};

export const plansText = {
  title: '购买套餐',
  orders: '我的订单',
  keys: '兑换码',
  own: '我的套餐',
  ownFailed: '套餐加载失败',
  noPlan: '还没有套餐。选一个绑定到设备上，它的域名映射和远程应用就能用了。',
  choose: '选择套餐',
  productsFailed: '在售套餐加载失败',
  noProducts: '目前没有在售的套餐，请稍后再来，或使用兑换码。',
  buy: '购买',
  take: '免费领取',
  buyLabel: (name: string) => `购买${quoted(name)}`,
  takeLabel: (name: string) => `免费领取${quoted(name)}`,
  free: '免费',
  ends: (at: string) => `${at} 到期`,
  endsSoon: '即将到期',
  boundTo: (device: string) => `用于 ${plainName(device)}`,
  unbound: '没有绑定设备',
  renew: '续费',
  renewableFrom: (at: string) => `最多续到两年以后，${at} 起可续费`,
  unlisted: '套餐已停售，不能续费',
  upgrade: '升级',
  bind: '绑定设备…',
  move: '换一台设备…',
  unbind: '解绑设备',
  unbindTitle: (plan: string, device: string) => `把${quoted(plan)}从${quoted(device)}解绑？`,
  unbindText: '设备马上没有套餐：访客打不开它的地址，设置都会保留。套餐的时间继续计算，之后可以绑定到任何一台设备。',
  unbound2: (plan: string) => `${quoted(plan)}已解绑`,
  actions: (plan: string) => `${plainName(plan)} 的更多操作`,
  forDevice: (device: string) => `正在为${quoted(device)}选择套餐`,
  hasPlan: (device: string, plan: string) => `${quoted(device)}已有${quoted(plan)}，可以在上面续费或升级。`,
  everything: '取消选择',
};

export const bindText = {
  title: (plan: string) => `把${quoted(plan)}绑定到哪台设备`,
  hint: '一个套餐同时只用于一台设备。换设备后，原来的设备马上没有套餐，它的设置都会保留。',
  device: '设备',
  noDevice: '还没有其他设备，请先添加设备。',
  submit: '绑定',
  done: (plan: string, device: string) => `${quoted(plan)}已绑定到${quoted(device)}`,
};

export const checkoutText = {
  titles: { new: '确认购买', free: '免费领取', renew: '续费', upgrade: '升级套餐' },
  unavailable: '这个套餐刚刚下架或有变动，请关闭后重新选择。',
  device: '用于设备',
  freeFor: (days: number) => `免费，${daysText(days)}`,
  freeHint: '每周可领一次，最多同时用于两台设备',
  noDevice: '先不绑定，以后再选',
  devicesFailed: '设备加载失败，可以先购买，之后再绑定设备',
  replacesFree: '这台设备的免费套餐会由新套餐代替。',
  hasPlan: '这台设备已有套餐，请续费或升级，或选别的设备。',
  newEnd: (at: string) => `续费后 ${at} 到期`,
  newTime: '新的时间接在原来的后面，不会浪费。',
  upgradeTo: '升级为',
  upgradeRule:
    '升级价 = 两个套餐每小时的价格之差 × 剩余小时数。不足 1 小时按 1 小时算，不足 1 分钱按 1 分算；到期时间不变。',
  amount: '应付',
  accept: '我已阅读并同意',
  terms: '《支付条款》',
  mustAccept: '请先阅读并同意支付条款',
  submit: (amount: string) => `去支付 ${amount}`,
  take: '领取',
  toOrders: '查看我的订单',
};
