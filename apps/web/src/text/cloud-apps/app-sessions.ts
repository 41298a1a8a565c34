import { type AppFailure, appFailures } from '@tongtu/contract/app-failures';
import { plainName } from '../devices/names.ts';

export const appSessionsText = {
  title: '远程应用的会话',
  hint: '您打开的，以及别人在您的设备上打开的。',
  filterLabel: '显示哪些会话',
  filter: { open: '进行中', all: '全部' },
  failed: '会话加载失败',
  empty: { open: '现在没有进行中的会话', all: '还没有会话' },
  open: '进行中',
  over: '已结束',
  kept: '页面已关闭',
  keptUntil: (time: string) => `仍在运行，${time} 结束`,
  resume: '继续',
  resumeLabel: (app: string) => `继续 ${plainName(app)}`,
  you: '您',
  byAccount: (account: string) => `账号 ${plainName(account)}`,
  onDevice: (device: string) => plainName(device),
  since: '打开',
  lasted: (duration: string) => `用时 ${duration}`,
  lastsFor: (duration: string) => `已用时 ${duration}`,
  bytes: (toTarget: string, fromTarget: string) => `发送 ${toTarget}，接收 ${fromTarget}`,
  end: '结束',
  endLabel: (app: string, account: string) => `结束 ${plainName(account)} 打开的 ${plainName(app)}`,
  ended: '会话已结束',
  pages: '会话分页',
};

/** What says 您 to who has the app open, or what to do, in other words: a record is read later, also by the owner. */
const pastReasons: Partial<Record<AppFailure, string>> = {
  'right-ended': '访问权限失效',
  'host-key-refused': '没有信任目标的身份',
  'host-key-changed': '目标的身份变了',
  'no-common-algorithm': '目标和通途没有共同的加密算法',
  changed: '远程应用的设置已更改',
  'gateway-stopped': '服务重启',
};

/** Why a session has ended, in the list of sessions. */
export function endReasonText(reason: AppFailure): string {
  return pastReasons[reason] ?? appFailures[reason].zh;
}

const minuteSeconds = 60;
const hourSeconds = 3600;

/** `45 秒`, `12 分钟`, `3 小时 5 分钟`. */
export function durationText(seconds: number): string {
  if (seconds < minuteSeconds) return `${Math.max(0, Math.floor(seconds))} 秒`;
  const minutes = Math.floor((seconds % hourSeconds) / minuteSeconds);
  if (seconds < hourSeconds) return `${minutes} 分钟`;
  const hours = Math.floor(seconds / hourSeconds);
  return minutes === 0 ? `${hours} 小时` : `${hours} 小时 ${minutes} 分钟`;
}
