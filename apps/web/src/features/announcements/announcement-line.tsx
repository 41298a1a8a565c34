import { LinkOutlined } from '@ant-design/icons';
import type { Announcement } from '@tongtu/contract';
import { announcementsText } from '../../text/announcements.ts';
import { dayText } from '../../text/time.ts';
import styles from './announcement-dialog.module.css';

/** Any address, including the console's own, except executable ones such as `javascript:` and `data:`. */
export function linkTo(url: string): string | undefined {
  if (url.trim() === '' || !URL.canParse(url, window.location.href)) return undefined;
  const { protocol, href } = new URL(url, window.location.href);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** The day on which it was first shown. */
export function AnnouncementDate({ at }: { at: string }) {
  return (
    <time dateTime={at} className={styles.date}>
      {dayText(at)}
    </time>
  );
}

/** The preview of an announcement that is being written has no date. */
type ShownLine = Pick<Announcement, 'title' | 'detail' | 'url'> & Partial<Pick<Announcement, 'published_at'>>;

/** An announcement in the dialog: a bracketed title and its detail (specification §2). */
export function AnnouncementLine({ announcement }: { announcement: ShownLine }) {
  const text = (
    <>
      <strong>{announcementsText.line(announcement.title)}</strong>
      {announcement.detail}
    </>
  );
  const href = linkTo(announcement.url);
  return (
    <li className={styles.line}>
      {href === undefined ? (
        text
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link}>
          {text} <LinkOutlined aria-hidden />
        </a>
      )}
      {announcement.published_at !== undefined && <AnnouncementDate at={announcement.published_at} />}
    </li>
  );
}
