import type { StateTone } from '../ui/state-tag.tsx';
import { momentText } from './moment-text.ts';

/** What is displayed for a time: an announcement, a banner or a group. */
type Displayed = { display: boolean; starts_at: string | null; ends_at: string | null };

export type DisplayState = 'shown' | 'waiting' | 'over' | 'hidden';

export const displayStateWords: Record<DisplayState, string> = {
  shown: '显示中',
  waiting: '未到时间',
  over: '已结束',
  hidden: '已隐藏',
};

export const displayStateTones: Record<DisplayState, StateTone> = {
  shown: 'good',
  waiting: 'caution',
  over: 'muted',
  hidden: 'muted',
};

export function displayStateOf(
  { display, starts_at: start, ends_at: end }: Displayed,
  wallClockMs: number,
): DisplayState {
  if (!display) return 'hidden';
  if (end !== null && Date.parse(end) <= wallClockMs) return 'over';
  return start !== null && Date.parse(start) > wallClockMs ? 'waiting' : 'shown';
}

export function displayTimesText({ starts_at: start, ends_at: end }: Displayed): string {
  if (start !== null && end !== null) return `${momentText(start)} 至 ${momentText(end)}`;
  if (start !== null) return `${momentText(start)} 起`;
  return end === null ? '一直显示' : `至 ${momentText(end)}`;
}
