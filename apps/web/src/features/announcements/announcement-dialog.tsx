import { Button, Modal } from 'antd';
import type { Announcement } from '@tongtu/contract';
import { announcementsText } from '../../text/announcements.ts';
import styles from './announcement-dialog.module.css';
import { AnnouncementLine } from './announcement-line.tsx';

/** Specification §2 and §9. */
const widthPx = 582;
const topPx = 50;

type AnnouncementDialogProps = { isOpen: boolean; announcements: readonly Announcement[]; onGotIt: () => void };

/**
 * Only 知道了 closes it: no close icon, no Escape, no click on the backdrop (specification §2). The page scrolls again when
 * antd's closing motion is over, which takes `motionDurationMid` and the frames around it: on a screen of 60 Hz the
 * 200 ms of specification §9. A release by a timer of our own would come before or after the dialog is gone.
 */
export function AnnouncementDialog({ isOpen, announcements, onGotIt }: AnnouncementDialogProps) {
  return (
    <Modal
      open={isOpen}
      title={announcementsText.title}
      width={widthPx}
      style={{ top: topPx, marginTop: 0, maxWidth: 'calc(100vw - 24px)' }}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <Button type="primary" autoFocus onClick={onGotIt}>
          {announcementsText.gotIt}
        </Button>
      }
    >
      <ol className={styles.list}>
        {announcements.map((announcement) => (
          <AnnouncementLine key={announcement.id} announcement={announcement} />
        ))}
      </ol>
    </Modal>
  );
}
