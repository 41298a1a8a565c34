import { CheckCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import type { Device } from '@tongtu/contract';
import { useState } from 'react';
import { errorText, useSiteConfig } from '../../../api/index.ts';
import { reachableOrigin } from '../../../public-address.ts';
import { addDeviceText } from '../../../text/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { LoadFailure } from '../../../ui/load-failure.tsx';
import styles from './add-device.module.css';
import { InstallTabs } from './install-tabs.tsx';
import { useBindingToken, useBootstrap, useWatchForDevice } from './use-add-device.ts';

const dialogWidthPx = 680;

function Instructions() {
  const consoleUrl = useSiteConfig()?.console_url;
  const bootstrap = useBootstrap();
  const token = useBindingToken();
  const failed = [bootstrap, token].find(({ isError }) => isError);
  if (failed) return <LoadFailure title={addDeviceText.failed} text={errorText(failed.error)} query={failed} />;
  if (!bootstrap.data || token.data === undefined) return <Spin />;
  const origin = reachableOrigin(window.location.href, consoleUrl);
  return <InstallTabs origin={origin} token={token.data} relayPin={bootstrap.data.relay_pin} />;
}

function Arrival({ device }: { device: Device | undefined }) {
  return (
    <div className={`${styles.arrival} ${device ? styles.arrived : ''}`} aria-live="polite">
      {device ? <CheckCircleFilled aria-hidden /> : <LoadingOutlined aria-hidden />}
      <div>
        <strong>{device ? addDeviceText.arrived(device.name) : addDeviceText.waiting}</strong>
        <p>{device ? addDeviceText.arrivedHint : addDeviceText.waitingHint}</p>
      </div>
    </div>
  );
}

type AddDeviceDialogProps = {
  devices: readonly Device[];
  onClose: () => void;
  onAddMapping: (device: Device) => void;
};

/** One line to paste, then the wait until the device shows itself. */
export function AddDeviceDialog({ devices, onClose, onAddMapping }: AddDeviceDialogProps) {
  const [knownIds] = useState(() => new Set(devices.map((device) => device.id)));
  const arrived = devices.find((device) => !knownIds.has(device.id) && device.online);
  useWatchForDevice(arrived === undefined);
  return (
    <Dialog
      title={addDeviceText.title}
      width={dialogWidthPx}
      onClose={onClose}
      footer={
        arrived ? (
          <>
            <Button onClick={onClose}>{sharedText.close}</Button>
            <Button type="primary" onClick={() => onAddMapping(arrived)}>
              {addDeviceText.next}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{sharedText.close}</Button>
        )
      }
    >
      <Instructions />
      <Arrival device={arrived} />
    </Dialog>
  );
}
