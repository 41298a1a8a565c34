import type { ManagedAnnouncement } from '@tongtu/contract';

export type AnnouncementState = 'shown' | 'waiting' | 'over' | 'hidden';

export function stateOf({ display, starts_at, ends_at }: ManagedAnnouncement, wallClockMs: number): AnnouncementState {
  if (!display) return 'hidden';
  if (ends_at !== null && Date.parse(ends_at) <= wallClockMs) return 'over';
  return starts_at !== null && Date.parse(starts_at) > wallClockMs ? 'waiting' : 'shown';
}
