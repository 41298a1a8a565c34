import type { Denial, Route, RouteHours } from '@tongtu/contract';
import type { PageFacts } from './page-answer.ts';

const DAY_NAMES = ['一', '二', '三', '四', '五', '六', '日'];

/** When a mapping is open, for a visitor who comes at another time. */
export function openingFacts({ opensAtMs, closesAtMs, hours }: Route, denial: Denial): PageFacts | undefined {
  if (denial === 'not-open-yet' && opensAtMs !== null) return [['开放时间', chineseTime(opensAtMs)]];
  if (denial === 'closed' && closesAtMs !== null) return [['关闭时间', chineseTime(closesAtMs)]];
  if (denial === 'outside-hours' && hours !== null) return [['开放时段', hoursText(hours)]];
  return undefined;
}

/** A time in the Chinese format. */
export function chineseTime(atMs: number): string {
  return `${new Date(atMs).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false })}（北京时间）`;
}

function hoursText({ days, fromMinute, toMinute }: RouteHours): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  const dayText = sorted.length === 7 ? '每天' : `每周${sorted.map((day) => DAY_NAMES[day - 1]).join('、')}`;
  const nextDay = toMinute < fromMinute ? '次日 ' : '';
  return `${dayText} ${clock(fromMinute)} 至 ${nextDay}${clock(toMinute)}（北京时间）`;
}

function clock(minute: number): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}
