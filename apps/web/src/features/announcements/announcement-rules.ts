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

/** What a user has not read yet of what is shown. */
export function unread(profile: Profile, announcements: readonly Announcement[]): Announcement[] {
  return displayed(announcements).filter(({ id }) => id > profile.readed_announcement_id);
}
