import type { Announcement, Profile } from '@tongtu/contract';

/** The largest id, or 0 without announcements. */
export function largestId(announcements: readonly Announcement[]): number {
  return announcements.reduce((largest, { id }) => Math.max(largest, id), 0);
}

/** Specification §4: readed_announcement_id is at least the largest announcement id. */
export function hasReadAll(profile: Profile, announcements: readonly Announcement[]): boolean {
  return profile.readed_announcement_id >= largestId(announcements);
}

/** Specification §2: only those whose display is true. */
export function displayed(announcements: readonly Announcement[]): Announcement[] {
  return announcements.filter((announcement) => announcement.display);
}

/** Whether something that is shown is not read yet. */
export function hasUnread(profile: Profile, announcements: readonly Announcement[]): boolean {
  return largestId(displayed(announcements)) > profile.readed_announcement_id;
}
