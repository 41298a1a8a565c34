import { LinkOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import type { Announcement } from '@tongtu/contract';
import { announcementsText } from '../../text/announcements.ts';
import styles from './announcement-dialog.module.css';

/** Specification §2 and §9. */
const widthPx = 582;
const topPx = 50;

/** Any address, one below the console's own included, but nothing that a browser would run: `javascript:`, `data:`. */
function linkTo(url: string): string | undefined {
  if (url.trim() === '' || !URL.canParse(url, window.location.href)) return undefined;
  const { protocol, href } = new URL(url, window.location.href);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

function Line({ announcement }: { announcement: Announcement }) {
  const text = (
    <>
      <strong>{announcementsText.line(announcement.title)}</strong>
      {announcement.detail}
    </>
  );
  const href = linkTo(announcement.url);
  if (href === undefined) return <li className={styles.line}>{text}</li>;
  return (
    <li className={styles.line}>
      <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link}>
        {text} <LinkOutlined aria-hidden />
      </a>
    </li>
  );
}

type AnnouncementDialogProps = { isOpen: boolean; announcements: readonly Announcement[]; onGotIt: () => void };

/** Only 知道了 closes it: no close icon, no Escape, no click on the backdrop (specification §2). */
export function AnnouncementDialog({ isOpen, announcements, onGotIt }: AnnouncementDialogProps) {
  return (
    <Modal
      open={isOpen}
      title={announcementsText.title}
      width={widthPx}
      style={{ top: topPx, maxWidth: 'calc(100vw - 24px)' }}
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
      {announcements.length === 0 ? (
        <p className={styles.none}>{announcementsText.none}</p>
      ) : (
        <ol className={styles.list}>
          {announcements.map((announcement) => (
            <Line key={announcement.id} announcement={announcement} />
          ))}
        </ol>
      )}
    </Modal>
  );
}
