import { ArrowLeftOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { errorText, useDevices } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { lanText } from '../../../text/devices/lan.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { CloudAppsProvider, useCloudApps } from '../cloud-apps/use-cloud-apps.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { DeviceDialogs } from '../device-dialogs.tsx';
import { DeviceSkeleton } from '../device-skeleton.tsx';
import deviceStyles from '../devices.module.css';
import { SavedMappingProvider, useMarkSavedMapping } from '../saved-mapping.ts';
import { DeviceLan } from './device-lan.tsx';
import styles from './lan.module.css';

function BackLink() {
  return (
    <Link to={paths.devices} className={styles.back ?? ''}>
      <ArrowLeftOutlined aria-hidden /> {lanText.back}
    </Link>
  );
}

/** The hosts and services in the LAN of a device. */
export function LanPage() {
  const { id = '' } = useParams();
  const query = useDevices();
  const cloudApps = useCloudApps();
  const savedMapping = useMarkSavedMapping();
  const [dialog, setDialog] = useState<DeviceDialog>();
  const { data: devices, error } = query;
  const device = devices?.find((each) => String(each.id) === id);
  return (
    <SavedMappingProvider value={savedMapping}>
      <CloudAppsProvider value={cloudApps}>
        <div className={deviceStyles.page}>
          {error && devices === undefined && (
            <LoadFailure title={devicesText.failed} text={errorText(error)} query={query} />
          )}
          {!error && devices === undefined && <DeviceSkeleton />}
          {devices !== undefined && device === undefined && (
            <section className={deviceStyles.panel}>
              <EmptyState title={lanText.unknownDevice} text="" action={<BackLink />} />
            </section>
          )}
          {device !== undefined && (
            <DeviceLan
              key={device.id}
              device={device}
              devices={devices ?? []}
              apps={cloudApps.data ?? []}
              back={<BackLink />}
              headClassName={styles.head ?? ''}
              onOpen={setDialog}
            />
          )}
          <DeviceDialogs
            dialog={dialog}
            devices={devices ?? []}
            onOpen={setDialog}
            onClose={() => setDialog(undefined)}
          />
        </div>
      </CloudAppsProvider>
    </SavedMappingProvider>
  );
}
