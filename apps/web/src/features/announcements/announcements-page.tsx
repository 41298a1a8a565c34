import { LinkOutlined } from '@ant-design/icons';
import { Card, Segmented, Skeleton } from 'antd';
import { useQuery } from '@tanstack/react-query';
import type { Announcement } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { useState } from 'react';
import { errorText, useApi, useProfile } from '../../api/index.ts';
import { announcementPageText } from '../../text/announcement-page.ts';
import { announcementsText } from '../../text/announcements.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { AnnouncementDate, linkTo } from './announcement-line.tsx';
import { AnnouncementManager } from './announcement-manager.tsx';
import { displayed } from './announcement-rules.ts';
import styles from './announcements-page.module.css';
import { announcementsQuery } from './use-announcements.ts';

function Item({ announcement }: { announcement: Announcement }) {
  const href = linkTo(announcement.url);
  return (
    <li>
      <Card size="small">
        <h2 className={styles.title}>{announcement.title}</h2>
        <AnnouncementDate at={announcement.published_at} />
        <p className={styles.detail}>{announcement.detail}</p>
        {href !== undefined && (
          <a href={href} target="_blank" rel="noopener noreferrer">
            {announcementPageText.openLink} <LinkOutlined aria-hidden />
          </a>
        )}
      </Card>
    </li>
  );
}

/** The announcements for all users, the latest first. */
function ShownAnnouncements() {
  const announcements = useQuery(announcementsQuery(useApi()));
  if (announcements.isPending) return <Skeleton active />;
  if (announcements.isError) {
    const text = errorText(announcements.error);
    return <LoadFailure title={announcementPageText.failedToLoad} text={text} query={announcements} />;
  }
  const shown = displayed(announcements.data).toReversed();
  if (shown.length === 0) return <EmptyState title={announcementPageText.none} text={announcementPageText.noneHint} />;
  return (
    <ul className={styles.list}>
      {shown.map((announcement) => (
        <Item key={announcement.id} announcement={announcement} />
      ))}
    </ul>
  );
}

const views = [
  { value: 'shown', label: announcementPageText.shown },
  { value: 'manage', label: announcementPageText.manage },
] as const;

export function AnnouncementsPage() {
  const profile = useProfile();
  const [view, setView] = useState<'shown' | 'manage'>('shown');
  const canEdit = profile !== undefined && hasRole(profile, 'staff');
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.heading}>{announcementsText.title}</h1>
        {canEdit && (
          <Segmented aria-label={announcementPageText.view} options={[...views]} value={view} onChange={setView} />
        )}
      </div>
      {canEdit && view === 'manage' ? <AnnouncementManager /> : <ShownAnnouncements />}
    </div>
  );
}
