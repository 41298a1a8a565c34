import { PoweroffOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import { deviceStateWords } from '../../../text/devices/device-states.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import type { DeviceDialog } from '../device-dialog.ts';
import { LeaveButton } from '../shared-with-me/leave-button.tsx';
import { AppName } from './app-name.tsx';
import styles from './cloud-apps.module.css';
import { SessionsButton } from './sessions-button.tsx';
import { OpenAppButton } from './open-app-button.tsx';
import { canWakeAndOpen, wakeAndOpen } from './wake-and-open.ts';
import { useLeaveApp } from './use-cloud-apps.ts';

type SharedAppsProps = { apps: readonly CloudApp[]; onOpen: (dialog: DeviceDialog) => void };

/** The apps of others that the user may open. */
export function SharedApps({ apps, onOpen }: SharedAppsProps) {
  return (
    <>
      <ul className={styles.list}>
        {apps.map((app) => (
          <SharedApp key={app.id} app={app} />
        ))}
      </ul>
      <SessionsButton onOpen={onOpen} />
    </>
  );
}

function SharedApp({ app }: { app: CloudApp }) {
  const leave = useLeaveApp();
  return (
    <li className={`${styles.row} ${app.enabled ? '' : styles.off}`} aria-label={app.name}>
      <AppName app={app} />
      <span className={styles.who}>
        <StateTag tone={app.router_online ? 'good' : 'bad'}>
          {app.router_online ? deviceStateWords.online : deviceStateWords.offline}
        </StateTag>
        {!app.enabled && <StateTag tone="muted">{cloudAppsText.disabled}</StateTag>}
        <bdi>{cloudAppsText.sharedBy(app.owner)}</bdi>
      </span>
      <span className={styles.actions}>
        <OpenAppButton app={app} />
        {canWakeAndOpen(app) && (
          <Button
            size="small"
            icon={<PoweroffOutlined aria-hidden />}
            onClick={() => wakeAndOpen(app)}
            aria-label={cloudAppsText.wakeAndOpenLabel(app.name)}
          >
            {cloudAppsText.wakeAndOpen}
          </Button>
        )}
        <LeaveButton shared={app} text={cloudAppsText} leave={leave} />
      </span>
    </li>
  );
}
