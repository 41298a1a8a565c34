import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';
import dayjs, { type Dayjs } from 'dayjs';

/** What the form holds; the pickers think in local times. */
export type AnnouncementFields = {
  title: string;
  detail: string;
  url: string;
  display: boolean;
  startsAt: Dayjs | null;
  endsAt: Dayjs | null;
};

export const emptyFields: AnnouncementFields = {
  title: '',
  detail: '',
  url: '',
  display: true,
  startsAt: null,
  endsAt: null,
};

export function fieldsOf(announcement: ManagedAnnouncement): AnnouncementFields {
  const { title, detail, url, display, starts_at, ends_at } = announcement;
  return { title, detail, url, display, startsAt: pickedTime(starts_at), endsAt: pickedTime(ends_at) };
}

export function bodyOf({ title, detail, url, display, startsAt, endsAt }: AnnouncementFields): AnnouncementBody {
  return {
    title: title.trim(),
    detail: detail.trim(),
    url: url.trim(),
    display,
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
  };
}

export type AnnouncementState = 'shown' | 'waiting' | 'over' | 'hidden';

export function stateOf({ display, starts_at, ends_at }: ManagedAnnouncement, nowMs: number): AnnouncementState {
  if (!display) return 'hidden';
  if (ends_at !== null && Date.parse(ends_at) <= nowMs) return 'over';
  return starts_at !== null && Date.parse(starts_at) > nowMs ? 'waiting' : 'shown';
}

function pickedTime(at: string | null): Dayjs | null {
  return at === null ? null : dayjs(at);
}
