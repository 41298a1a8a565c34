import { HistoryOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import styles from './cloud-apps.module.css';

/** Below a list of apps: opens the list of their sessions. */
export function SessionsButton({ onOpen }: { onOpen: (dialog: DeviceDialog) => void }) {
  return (
    <p className={styles.foot}>
      <Button
        size="small"
        type="link"
        icon={<HistoryOutlined aria-hidden />}
        onClick={() => onOpen({ type: 'app-sessions' })}
      >
        {cloudAppsText.sessionsLabel}
      </Button>
    </p>
  );
}
