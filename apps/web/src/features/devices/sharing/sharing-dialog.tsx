import { Alert, Button, Modal, Tabs } from 'antd';
import type { Mapping } from '@tongtu/contract';
import { sharedText } from '../../../text/shared.ts';
import { sharingText } from '../../../text/sharing.ts';
import { isGated, shownName } from '../mapping-address.ts';
import { Members } from './members.tsx';
import { ShareLinks } from './share-links.tsx';
import styles from './sharing.module.css';

const dialogWidthPx = 600;
/** Higher than other dialogs, because there is more in it. */
const dialogStyle = { top: 40 };

/** Lets others in: by a link, or as members. */
export function SharingDialog({ mapping, onClose }: { mapping: Mapping; onClose: () => void }) {
  return (
    <Modal
      open
      title={sharingText.title(shownName(mapping))}
      width={dialogWidthPx}
      style={dialogStyle}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      {!isGated(mapping) && (
        <Alert
          type="info"
          showIcon
          title={mapping.policy === 'closed' ? sharingText.closed : sharingText.public}
          className={styles.notice ?? ''}
        />
      )}
      <Tabs
        items={[
          { key: 'links', label: sharingText.tabs.links, children: <ShareLinks mappingId={mapping.id} /> },
          { key: 'members', label: sharingText.tabs.members, children: <Members mappingId={mapping.id} /> },
        ]}
      />
    </Modal>
  );
}
