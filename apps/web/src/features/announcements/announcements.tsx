import { useState } from 'react';
import { useProfile } from '../../api/index.ts';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { displayed, hasReadAll, largestId } from './announcement-rules.ts';
import { useAnnouncements, useMarkAnnouncementsRead } from './use-announcements.ts';

/** Opens at startup when an announcement is unread. */
export function Announcements() {
  const profile = useProfile();
  const announcements = useAnnouncements();
  const markRead = useMarkAnnouncementsRead();
  const [confirmedId, setConfirmedId] = useState(0);

  const lines = displayed(announcements);
  const lastId = largestId(announcements);
  const isUnread = profile !== undefined && !hasReadAll(profile, announcements);
  const opensItself = isUnread && lines.length > 0 && confirmedId < lastId;

  function confirm() {
    setConfirmedId(lastId);
    // A failure is not shown; the announcements open again at the next start.
    if (profile && isUnread) markRead.mutate({ profile, lastId });
  }

  return <AnnouncementDialog isOpen={opensItself} announcements={lines} onGotIt={confirm} />;
}
