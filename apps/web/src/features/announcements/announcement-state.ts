import type { ManagedAnnouncement } from '@tongtu/contract';

export type AnnouncementState = 'shown' | 'waiting' | 'over' | 'hidden';

export function stateOf({ display, starts_at, ends_at }: ManagedAnnouncement, nowMs: number): AnnouncementState {
  if (!display) return 'hidden';
  if (ends_at !== null && Date.parse(ends_at) <= nowMs) return 'over';
  return starts_at !== null && Date.parse(starts_at) > nowMs ? 'waiting' : 'shown';
}
