import { Alert, Button, Tabs } from 'antd';
import type { Mapping } from '@tongtu/contract';
import { sharedText } from '../../../text/shared.ts';
import { sharingText } from '../../../text/devices/sharing.ts';
import { isGated, shownName } from '../mapping-address.ts';
import { Members } from './members.tsx';
import { ShareLinks } from './share-links.tsx';
import styles from './sharing.module.css';
import { Dialog } from '../../../ui/dialog/dialog.tsx';

const dialogWidthPx = 600;
/** Higher than other dialogs, because it has more content. */
const dialogStyle = { top: 40 };

/** Grants access to others: by a link, or as members. */
export function SharingDialog({ mapping, onClose }: { mapping: Mapping; onClose: () => void }) {
  return (
    <Dialog
      title={sharingText.title(shownName(mapping))}
      width={dialogWidthPx}
      style={dialogStyle}
      onClose={onClose}
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
    </Dialog>
  );
}
