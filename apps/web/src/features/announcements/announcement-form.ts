import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';
import { readMoment, writeMoment } from '../../ui/date-field/date-text.ts';

/** The form's fields. Times are text, in local time without seconds, or empty. */
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
  return { title, detail, url, display, startsAt: writeMoment(starts_at), endsAt: writeMoment(ends_at) };
}

export function bodyOf({ title, detail, url, display, startsAt, endsAt }: AnnouncementFields): AnnouncementBody {
  return {
    title: title.trim(),
    detail: detail.trim(),
    url: url.trim(),
    display,
    starts_at: readMoment(startsAt),
    ends_at: readMoment(endsAt),
  };
}
