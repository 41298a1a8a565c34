import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';

/** What the form holds; times as the browser's own picker says them, local and without seconds, or empty. */
export type AnnouncementFields = {
  title: string;
  detail: string;
  url: string;
  display: boolean;
  startsAt: string;
  endsAt: string;
};

export const emptyFields: AnnouncementFields = {
  title: '',
  detail: '',
  url: '',
  display: true,
  startsAt: '',
  endsAt: '',
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
    starts_at: sentTime(startsAt),
    ends_at: sentTime(endsAt),
  };
}

export type AnnouncementState = 'shown' | 'waiting' | 'over' | 'hidden';

export function stateOf({ display, starts_at, ends_at }: ManagedAnnouncement, nowMs: number): AnnouncementState {
  if (!display) return 'hidden';
  if (ends_at !== null && Date.parse(ends_at) <= nowMs) return 'over';
  return starts_at !== null && Date.parse(starts_at) > nowMs ? 'waiting' : 'shown';
}

function pickedTime(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length);
}

function sentTime(picked: string): string | null {
  return picked === '' ? null : new Date(picked).toISOString();
}
