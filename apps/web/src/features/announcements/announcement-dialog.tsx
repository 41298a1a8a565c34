import { Button } from 'antd';
import type { Announcement } from '@tongtu/contract';
import { announcementsText } from '../../text/announcements.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { initialFocus } from '../../ui/dialog/use-dialog-focus.ts';
import { useScrollLock } from '../../ui/use-scroll-lock.ts';
import styles from './announcement-dialog.module.css';
import { AnnouncementLine } from './announcement-line.tsx';

/** Specification §2 and §9. */
const widthPx = 582;
const topPx = 50;
const scrollReleaseDelayMs = 200;

type AnnouncementDialogProps = {
  isOpen: boolean;
  announcements: readonly Announcement[];
  /** The last one that the user has read. Later ones are marked. */
  readId: number;
  onGotIt: () => void;
};

/** Only 知道了 closes it: no close icon, no Escape, no click on the backdrop (specification §2). */
export function AnnouncementDialog({ isOpen, announcements, readId, onGotIt }: AnnouncementDialogProps) {
  useScrollLock(isOpen, scrollReleaseDelayMs);
  const firstUnreadId = announcements.find(({ id }) => id > readId)?.id;
  return (
    <Dialog
      isOpen={isOpen}
      title={announcementsText.title}
      width={widthPx}
      style={{ top: topPx, marginTop: 0, maxWidth: 'calc(100vw - 24px)' }}
      // useScrollLock releases the lock after a fixed time, whether or not the closing is animated.
      scrollLock={false}
      footer={
        <Button type="primary" {...initialFocus} onClick={onGotIt}>
          {announcementsText.gotIt}
        </Button>
      }
    >
      <ol className={styles.list}>
        {announcements.map((announcement) => (
          <AnnouncementLine
            key={announcement.id}
            announcement={announcement}
            isUnread={announcement.id > readId}
            isFirstUnread={announcement.id === firstUnreadId}
          />
        ))}
      </ol>
    </Dialog>
  );
}
