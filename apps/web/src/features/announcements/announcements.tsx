import { useState } from 'react';
import { useProfile } from '../../api/index.ts';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { displayed, hasReadAll, largestId } from './announcement-rules.ts';
import { useAnnouncements, useMarkAnnouncementsRead } from './use-announcements.ts';

type AnnouncementsProps = {
  /** Asked for by the person, to read them again. */
  isAsked: boolean;
  onClose: () => void;
};

/** Opens by itself while something is unread, and whenever it is asked for. */
export function Announcements({ isAsked, onClose }: AnnouncementsProps) {
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
    onClose();
    // A failure is not shown: the same announcements simply open once more next time.
    if (profile && isUnread) markRead.mutate({ profile, lastId });
  }

  return <AnnouncementDialog isOpen={isAsked || opensItself} announcements={lines} onGotIt={confirm} />;
}
