/** Texts of a mapping in its device's card, and of its dialogs. */
export const mappingText = {
  address: '访问地址',
  policy: { owner: '需身份验证', password: '需访问密码', public: '公开', closed: '禁止访问' },
  enabled: '已启用',
  disabled: '已停用',
  overPlanLimit: '超出套餐',
  deviceDisabled: '设备已停用',
  customDomain: '自有域名',
  tlsPassthrough: '端到端加密',
  notOpenYet: '尚未开放',
  closed: '已过开放日期',
  usage: (bytes: string, requests: string) => `近 24 小时 ${bytes} · ${requests} 次访问`,
  usageDetail: (fromVisitors: string, toVisitors: string) => `上传 ${fromVisitors}，下载 ${toVisitors}`,
  toggle: (name: string) => `启用 ${name}`,
  edit: '修改',
  test: '检测',
  more: '更多操作',
  statistics: '统计',
  records: '验证记录',
  visits: '访问日志',
  share: '分享',
  markClient: '放行程序',
  remove: '删除',
  removeTitle: (name: string) => `删除 ${name}？`,
  removeText: '删除后这个地址立即无法访问，正在打开的连接也会断开。',
  removed: '域名映射已删除',
  allowNetwork: '允许当前网络访问（48 小时）',
  allowedNetwork: (until: string) => `当前网络已允许至 ${until}`,
  revokeNetwork: '撤销',
  revokeNetworkOf: (name: string) => `撤销当前网络的访问 ${name}`,
  onlyIpv6: '这是 IPv6 地址。如果程序用 IPv4 连接，请在设备的访问白名单里添加 IPv4 地址。',
};

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];
const weekday = (day: number) => `周${weekdays[day - 1]}`;

export const openingText = {
  everyDay: '每天',
  days: (first: number, last: number) => (first === last ? weekday(first) : `${weekday(first)}至${weekday(last)}`),
  and: '、',
  comma: '，',
  nextDay: (time: string) => `次日 ${time}`,
  hours: (days: string, from: string, to: string) => `${days} ${from}–${to}`,
  dates(opensOn: string | undefined, closesOn: string | undefined): string {
    if (opensOn === undefined) return closesOn === undefined ? '' : `开放至 ${closesOn}`;
    return closesOn === undefined ? `${opensOn} 起开放` : `${opensOn} 至 ${closesOn} 开放`;
  },
};

export const certificateText = {
  waiting: '证书申请中',
  failed: '证书申请失败',
  renewalFailed: '证书续期失败',
};

export const allowListText = {
  open: '访问白名单',
  title: (device: string) => `访问白名单 · ${device}`,
  hint: '来自这些地址的访客不用验证，可以直接打开这台设备的全部域名映射。',
  label: 'IP 地址或网段',
  rule: (max: number) => `每行一个，最多 ${max} 个，例如 203.0.113.7 或 203.0.113.0/24。`,
  addCurrent: '添加当前 IP',
  currentFailed: '查不到当前 IP，请手动填写',
  alreadyListed: (ip: string) => `${ip} 已在白名单中`,
  line: (line: number, entry: string, message: string) => `第 ${line} 行 ${entry}：${message}`,
  tooMany: (max: number) => `最多 ${max} 个地址或网段`,
  saved: '访问白名单已保存',
};
