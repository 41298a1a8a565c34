import type { CloudApp, Device } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import type { DeviceDialog } from '../device-dialog.ts';
import deviceStyles from '../devices.module.css';
import { AppRow } from './app-row.tsx';
import styles from './cloud-apps.module.css';
import { SessionsButton } from './sessions-button.tsx';
import type { useCloudApps } from './use-cloud-apps.ts';

type AppListProps = {
  device: Device;
  group: 'app' | 'files';
  apps: readonly CloudApp[];
  query: ReturnType<typeof useCloudApps> | undefined;
  onOpen: (dialog: DeviceDialog) => void;
};

/** The apps of a device in one of its tabs. */
export function AppList({ device, group, apps, query, onOpen }: AppListProps) {
  if (query?.data === undefined && query?.error) {
    return <LoadFailure title={cloudAppsText.failed} text={errorText(query.error)} query={query} />;
  }
  if (apps.length === 0) return <p className={deviceStyles.noMappings}>{cloudAppsText.empty[group]}</p>;
  return (
    <>
      <ul className={styles.list}>
        {apps.map((app) => (
          <AppRow key={app.id} app={app} isInPlan={isInPlan(device, app)} onOpen={onOpen} />
        ))}
      </ul>
      <SessionsButton onOpen={onOpen} />
    </>
  );
}

/** A device without a plan either needs none, or says so itself. */
function isInPlan({ plan }: Device, { kind }: CloudApp): boolean {
  return plan === null || plan.app_kinds.includes(kind);
}
