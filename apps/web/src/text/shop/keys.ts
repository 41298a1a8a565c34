import type { ProductKeyStatus } from '@tongtu/contract';
import { plainName, quoted } from '../devices/names.ts';

export const keyStatusWords: Record<ProductKeyStatus, string> = {
  unused: '未使用',
  issued: '已发放',
  redeemed: '已兑换',
  void: '已作废',
  expired: '已过期',
};

export const productKeysText = {
  title: '兑换码管理',
  plans: '购买套餐',
  orders: '我的订单',
  views: { redeem: '兑换', places: '渠道', keys: '兑换码', bulk: '批量购买' },
};

export const redeemText = {
  title: '兑换',
  hint: '输入兑换码，或把含有兑换码的整条消息粘贴进来，会自动认出。大小写、空格和短横线都没有关系。',
  key: '兑换码',
  placeholder: 'XXXXX-XXXXX-XXXXX-XXXXX',
  missing: '请输入兑换码',
  wrong: '这不是一个完整的兑换码：应有 4 组、每组 5 个字符，请检查有没有抄错或漏掉',
  several: (count: number) => `认出了 ${count} 个兑换码，一次只能兑换一个，已填入第一个。`,
  device: '用于设备',
  noDevice: '先不绑定，以后再选',
  deviceHint: '设备上有同一种套餐时，会延长它的时间；没有套餐时，马上生效。',
  submit: '兑换',
  scan: '扫码',
  noScan: '这个浏览器不能扫码：用手机相机扫描兑换码的二维码，会打开本页并填好兑换码。',
  captchaClosed: '需要先完成验证，才能继续兑换',
};

export const scanText = {
  title: '扫描兑换码',
  hint: '把兑换码的二维码放进画面里',
  video: '摄像头画面',
  noCamera: '打不开摄像头：请在浏览器里允许使用摄像头，或改为输入兑换码。',
  noKey: '这个二维码里没有兑换码，请换一个。',
};

export const ownKeysText = {
  title: '我的兑换码',
  failed: '兑换码加载失败',
  empty: '还没有兑换过。兑换过的、作为奖励得到的兑换码都会列在这里。',
  redeemedAt: (at: string) => `${at} 兑换`,
  expiresAt: (at: string) => `${at} 过期`,
  ending: (hint: string) => `尾号 ${hint}`,
  days: (days: string) => `有效 ${days}`,
  use: '现在兑换',
  useLabel: (hint: string) => `兑换尾号 ${hint} 的兑换码`,
};

export const placesText = {
  title: '渠道',
  failed: '渠道加载失败',
  empty: '还没有渠道。',
  emptyStaff: '还没有渠道。新建一个，把兑换码放进去，再指定一位推广员来发放。',
  emptyPromoter: '还没有分给您的渠道，请联系管理员。',
  create: '新建渠道',
  edit: '修改',
  editLabel: (name: string) => `修改${quoted(name)}`,
  name: '名称',
  nameRequired: '请输入名称',
  note: '备注',
  promoter: '推广员',
  promoterHint: '选填。推广员能看到这个渠道的兑换码，并标记、导出和批量购买。',
  noPromoterFound: '没有找到推广员：请先在“管理 → 用户”里给账号推广员权限',
  promoterOf: (name: string) => `推广员 ${plainName(name)}`,
  noPromoter: '没有推广员',
  save: '保存',
  saved: (name: string) => `渠道${quoted(name)}已保存`,
  remove: '删除',
  removeLabel: (name: string) => `删除${quoted(name)}`,
  removeTitle: (name: string) => `删除渠道${quoted(name)}？`,
  removeText: '没有兑换码的渠道才能删除。',
  removed: (name: string) => `渠道${quoted(name)}已删除`,
  showKeys: (name: string) => `查看兑换码：${plainName(name)}`,
  keys: '查看兑换码',
  figures: { made: '共有', sold: '已发放', redeemed: '已兑换', worth: '已兑换价值' },
  figuresTitle: '全部渠道合计',
  soldHint: '“已发放”包括之后被兑换的',
};

export const keysText = {
  title: '兑换码',
  failed: '兑换码加载失败',
  count: (count: number) => `共 ${count} 个`,
  countLimit: (count: number) => `至少 ${count} 个`,
  none: '没有找到兑换码',
  place: '渠道',
  everyPlace: '全部渠道',
  noPlace: '不属于任何渠道',
  status: '状态',
  everyStatus: '全部状态',
  batch: '批次',
  batchOf: (id: number) => `批次 ${id}`,
  search: '搜索兑换码、尾号或备注开头',
  clearFilters: '清除条件',
  clearSearch: '清空搜索',
  make: '生成兑换码',
  mark: '标记…',
  markMany: '粘贴标记',
  markChosen: (count: number) => `标记所选 ${count} 个`,
  export: '导出 CSV',
  exported: '已导出',
  fileName: (day: string) => `兑换码-${day}.csv`,
  choose: (hint: string) => `选择尾号 ${hint}`,
  chooseAll: '选择本页',
  qr: '二维码',
  qrLabel: (hint: string) => `尾号 ${hint} 的二维码`,
  qrTitle: '兑换码的二维码',
  qrHint: '用手机相机扫描，会打开兑换页并填好兑换码。拿到它的人就能兑换。',
  key: '兑换码',
  pages: '兑换码的分页',
  price: (amount: string) => `价值 ${amount}`,
};

export const makeText = {
  title: '生成兑换码',
  product: '套餐',
  productRequired: '请选择套餐',
  place: '放进渠道',
  noPlace: '不放进渠道',
  count: '数量',
  countRequired: (max: number) => `请输入 1 到 ${max} 的整数`,
  expires: '过期时间',
  expiresHint: '选填；过期后不能再兑换',
  submit: '生成',
  made: (count: number) => `已生成 ${count} 个兑换码`,
  batch: (id: number) => `批次 ${id}`,
  madeHint: '以后也能在列表里按批次找到它们。',
  all: '全部兑换码',
  copyAll: '复制全部',
  done: '完成',
};

export const markText = {
  title: '标记兑换码',
  keys: '兑换码',
  keysHint: '每行一个，或粘贴含有兑换码的文字',
  keysRequired: '请粘贴兑换码',
  found: (count: number) => `认出 ${count} 个兑换码`,
  unread: (count: number) => `有 ${count} 行没有认出兑换码，不会标记`,
  tooMany: (max: number) => `一次最多标记 ${max} 个，请分开提交`,
  chosen: (count: number) => `将标记所选的 ${count} 个兑换码。`,
  status: '标记为',
  statusHints: {
    issued: '已经交给顾客',
    unused: '收回来了，可以再发给别人',
    void: '不能再兑换，而且无法恢复',
  },
  reason: '备注',
  reasonHint: '选填，例如交给了谁',
  submit: '标记',
  changed: (count: number) => `已标记 ${count} 个`,
  skipped: (count: number) => `${count} 个没有变化：`,
  done: '完成',
};

export const bulkText = {
  title: '批量购买',
  hint: '买到的是兑换码，数量越多越便宜。付款后马上生成，放进所选的渠道。',
  failed: '批量套餐加载失败',
  none: '目前没有可以批量购买的套餐。',
  product: '套餐',
  quantity: '数量',
  place: '放进渠道',
  noPlace: '不放进渠道，归我自己',
  tier: (from: number, percent: number) =>
    percent === 100 ? `${from} 个起 原价` : `${from} 个起 ${discountText(percent)}`,
  tooFew: (from: number) => `至少 ${from} 个`,
  tooMany: (max: number) => `一次最多 ${max} 个`,
  original: '原价',
  saved: '优惠',
  amount: '应付',
  each: (amount: string) => `平均每个 ${amount}`,
  submit: (amount: string) => `去支付 ${amount}`,
  submitUnpriced: '去支付',
  orders: '我的订单',
};

/** 90 is 九折, 85 is 八五折. */
function discountText(percent: number): string {
  const digits = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
  const tens = digits[Math.floor(percent / 10)] ?? '';
  const ones = digits[percent % 10] ?? '';
  return percent < 10 ? `原价的 ${percent}%` : `${tens}${ones}折`;
}
