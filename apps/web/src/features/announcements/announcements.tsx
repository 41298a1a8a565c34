import { useState } from 'react';
import { useProfile } from '../../api/index.ts';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { displayed, hasReadAll, hasUnread, largestId } from './announcement-rules.ts';
import { useAnnouncements, useMarkAnnouncementsRead } from './use-announcements.ts';
import { useQuietMoment } from './use-quiet-moment.ts';

/** Opens with all announcements when one is unread, but not over a dialog or while somebody types. */
export function Announcements() {
  const profile = useProfile();
  const announcements = useAnnouncements();
  const markRead = useMarkAnnouncementsRead();
  const [confirmedId, setConfirmedId] = useState(0);

  const now = { lines: displayed(announcements), readId: profile?.readed_announcement_id ?? 0 };
  const lastId = largestId(announcements);
  // Hidden announcements count as read together with those that are shown.
  const isUnread = profile !== undefined && !hasReadAll(profile, announcements);
  const isOpen = useQuietMoment(isUnread && hasUnread(profile, announcements) && confirmedId < lastId);
  // While it closes, the dialog shows what it showed before.
  const [shown, setShown] = useState(now);
  if (isOpen && keyOf(now) !== keyOf(shown)) setShown(now);

  function confirm() {
    setConfirmedId(lastId);
    // A failure is not shown; the announcements open again at the next start.
    if (profile && isUnread) markRead.mutate({ profile, lastId });
  }

  const { lines, readId } = isOpen ? now : shown;
  return <AnnouncementDialog isOpen={isOpen} announcements={lines} readId={readId} onGotIt={confirm} />;
}

function keyOf({ lines, readId }: { lines: readonly { id: number }[]; readId: number }): string {
  return [readId, ...lines.map(({ id }) => id)].join();
}
