import { CheckCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { Alert, Button, Modal, Spin, Tabs } from 'antd';
import type { Device } from '@tongtu/contract';
import { useState } from 'react';
import { errorText, useProfile, useSiteConfig } from '../../api/index.ts';
import { addDeviceText } from '../../text/devices.ts';
import { sharedText } from '../../text/shared.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './add-device.module.css';
import { type InstallInput, installCommand, manualCommands } from './install-commands.ts';
import { isLoopbackHost, reachableOrigin } from './public-address.ts';
import { useBootstrap, useWatchForDevice } from './use-add-device.ts';

const dialogWidthPx = 680;

function Command({ hint, command }: { hint: string; command: string }) {
  return (
    <div>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.command}>
        <pre>{command}</pre>
        <CopyButton text={command} label={addDeviceText.command} type="primary" size="middle">
          {addDeviceText.copy}
        </CopyButton>
      </div>
      <p className={styles.secret}>{addDeviceText.secret}</p>
    </div>
  );
}

function Commands(input: InstallInput) {
  return (
    <>
      {isLoopbackHost(new URL(input.origin).hostname) && (
        <Alert type="warning" showIcon title={addDeviceText.loopback} className={styles.loopback ?? ''} />
      )}
      <Tabs
        items={[
          {
            key: 'install',
            label: addDeviceText.tabs.install,
            children: <Command hint={addDeviceText.installHint} command={installCommand(input)} />,
          },
          {
            key: 'manual',
            label: addDeviceText.tabs.manual,
            children: <Command hint={addDeviceText.manualHint} command={manualCommands(input)} />,
          },
        ]}
      />
    </>
  );
}

function Instructions() {
  const profile = useProfile();
  const consoleUrl = useSiteConfig()?.console_url;
  const bootstrap = useBootstrap();
  if (bootstrap.isError) {
    return (
      <Alert
        type="error"
        showIcon
        title={addDeviceText.failed}
        description={errorText(bootstrap.error)}
        action={<Button onClick={() => void bootstrap.refetch()}>{sharedText.retry}</Button>}
      />
    );
  }
  if (!bootstrap.data || !profile) return <Spin />;
  const origin = reachableOrigin(window.location.href, consoleUrl);
  return <Commands origin={origin} token={profile.token} relayPin={bootstrap.data.relay_pin} />;
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
    <Modal
      open
      title={addDeviceText.title}
      width={dialogWidthPx}
      onCancel={onClose}
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
    </Modal>
  );
}
