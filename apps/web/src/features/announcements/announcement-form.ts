import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';
import { readDate, writeDate } from '../../ui/date-field/date-text.ts';

/** What the form holds; times as they are typed, local and without seconds, or empty. */
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

function pickedTime(at: string | null): string {
  return at === null ? '' : writeDate('datetime', new Date(at));
}

function sentTime(picked: string): string | null {
  if (picked === '') return null;
  const read = readDate('datetime', picked);
  // The form lets none through: "at once" or "for ever" is not what was meant.
  if (read.type !== 'read') throw new Error(`no time: ${picked}`);
  return read.date.toISOString();
}
