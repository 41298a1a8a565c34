import type { WakeResult } from '@tongtu/contract';
import { plainName } from '../devices/names.ts';

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];
const allDays = weekdays.length;
const workdays = '12345';
const weekend = '67';

/** The page that wakes the host of a cloud app. */
export const wakingText = {
  titleOf: (app: string) => `唤醒 ${plainName(app)}`,
  loading: '正在加载…',
  loadFailed: '打不开',
  notFound: '没有找到该远程应用',
  onDevice: (device: string) => `经 ${plainName(device)}`,
  on: '已开机',
  notReady: '已开机，正在等它的服务启动…',
  off: '未开机',
  asking: '正在检查…',
  unknown: '不知道是否开机',
  waking: (seconds: number) => `正在唤醒…（${seconds} 秒）`,
  opens: '开机后会自动打开，请不要关闭这个页面。',
  wake: '唤醒',
  wakeAgain: '再唤醒一次',
  wakeAndOpen: '唤醒并打开',
  open: '打开',
  openAnyway: '直接打开',
  checkAgain: '重新检查',
  toDevices: '返回设备列表',
  noMac: '还没有填写它的 MAC 地址，不能唤醒。',
  confirmNeeded: '唤醒之前需要确认您的身份。',
  wakeFailed: '没能唤醒',
  lateTitle: '已经过去三分钟，它还没有开机',
  lateChecks: [
    '主机的 BIOS 里启用了网络唤醒（Wake on LAN），关机后网口的灯仍亮着',
    '主机用网线连接：大多数无线网卡不能唤醒',
    'Windows 关闭了“快速启动”，并在网卡的属性里允许它唤醒计算机',
    '主机和这台设备在同一个网段：唤醒信号不会越过路由器',
    'MAC 地址是主机上插着网线的那块网卡的',
  ],
  late: '请逐项检查：',

  schedule: '定时唤醒',
  scheduleHint: '北京时间。服务器没有运行时错过的不会补发。',
  noSchedule: '没有定时。',
  addTime: '添加',
  addTitle: '添加定时唤醒',
  time: '时间',
  timeRequired: '请选择时间',
  days: '星期',
  weekdays,
  weekday: (day: string) => `周${day}`,
  daysRequired: '请至少选择一天',
  save: '添加',
  added: '已添加定时唤醒',
  remove: '删除',
  removeLabel: (time: string) => `删除 ${time}`,
  removed: '已删除定时唤醒',

  records: '最近的唤醒',
  noRecords: '还没有唤醒过。',
  recordsFailed: '唤醒记录加载失败',
  bySchedule: '定时',
  you: '您',
  byAccount: (account: string) => `账号 ${plainName(account)}`,
  results: {
    sent: '已发出',
    'device-offline': '设备不在线，未发出',
    'agent-outdated': '设备上的客户端版本过旧，未发出',
    'no-wake-proxy': '设备上 frpc 的配置缺少 wake 代理，未发出',
    failed: '未能发出',
  } satisfies Record<WakeResult, string>,
};

/** `每天`, `工作日`, `周末`, or `周一、周三`. */
export function daysText(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => a - b);
  if (sorted.length === allDays) return '每天';
  if (sorted.join('') === workdays) return '工作日（周一至周五）';
  if (sorted.join('') === weekend) return '周末';
  return sorted.map((day) => wakingText.weekday(weekdays[day - 1] ?? '')).join('、');
}
