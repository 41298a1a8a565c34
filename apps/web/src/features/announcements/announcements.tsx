import { useState } from 'react';
import { useProfile } from '../../api/index.ts';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { hasReadAll, largestId, unread } from './announcement-rules.ts';
import { useAnnouncements, useMarkAnnouncementsRead } from './use-announcements.ts';
import { useQuietMoment } from './use-quiet-moment.ts';

/** Opens when an announcement is unread, but not over a dialog or while somebody types. */
export function Announcements() {
  const profile = useProfile();
  const announcements = useAnnouncements();
  const markRead = useMarkAnnouncementsRead();
  const [confirmedId, setConfirmedId] = useState(0);

  const lines = profile === undefined ? [] : unread(profile, announcements);
  const lastId = largestId(announcements);
  // Hidden announcements count as read together with those that are shown.
  const isUnread = profile !== undefined && !hasReadAll(profile, announcements);
  const isOpen = useQuietMoment(isUnread && lines.length > 0 && confirmedId < lastId);
  // While it closes, the dialog shows what it showed before.
  const [shown, setShown] = useState(lines);
  if (isOpen && lines.map(({ id }) => id).join() !== shown.map(({ id }) => id).join()) setShown(lines);

  function confirm() {
    setConfirmedId(lastId);
    // A failure is not shown; the announcements open again at the next start.
    if (profile && isUnread) markRead.mutate({ profile, lastId });
  }

  return <AnnouncementDialog isOpen={isOpen} announcements={isOpen ? lines : shown} onGotIt={confirm} />;
}
