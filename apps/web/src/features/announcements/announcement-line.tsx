import { LinkOutlined } from '@ant-design/icons';
import { Tag } from 'antd';
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

type AnnouncementLineProps = { announcement: ShownLine; isUnread?: boolean; isFirstUnread?: boolean };

/** A long list opens where the user has stopped reading. */
function showInList(line: HTMLElement | null): void {
  const list = line?.parentElement;
  if (line && list) list.scrollTop = line.offsetTop - list.offsetTop;
}

/** An announcement in the dialog: a bracketed title and its detail (specification §2). */
export function AnnouncementLine({ announcement, isUnread = false, isFirstUnread = false }: AnnouncementLineProps) {
  const text = (
    <>
      <strong>{announcementsText.line(announcement.title)}</strong>
      {announcement.detail}
    </>
  );
  const href = linkTo(announcement.url);
  return (
    <li className={styles.line} ref={isFirstUnread ? showInList : null}>
      {href === undefined ? (
        text
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link}>
          {text} <LinkOutlined aria-hidden />
        </a>
      )}
      {isUnread && (
        <span className={styles.unread}>
          <Tag color="processing">{announcementsText.unread}</Tag>
        </span>
      )}
      {announcement.published_at !== undefined && <AnnouncementDate at={announcement.published_at} />}
    </li>
  );
}
