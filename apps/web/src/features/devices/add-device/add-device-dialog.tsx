import { CheckCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import type { Device } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { addDeviceText } from '../../../text/devices/devices.ts';
import { frpcText } from '../../../text/devices/frpc.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { AccountTokenNote } from './account-token-note.tsx';
import styles from './add-device.module.css';
import { KeyInstructions } from './key-instructions.tsx';
import { useWatchForDevice } from './use-add-device.ts';
import { AddFrpcDevice } from '../frpc/add-frpc-device.tsx';
import { useForgetKeyToPaste } from '../../enrolment-keys/use-enrolment-keys.ts';

const dialogWidthPx = 680;

type Way = 'agent' | 'frpc';
const ways: { value: Way; label: string }[] = [
  { value: 'agent', label: frpcText.ways.agent },
  { value: 'frpc', label: frpcText.ways.frpc },
];

function OnlineWait({ device, hint }: { device: Device | undefined; hint: string }) {
  return (
    <div className={`${styles.wait} ${device ? styles.done : ''}`} aria-live="polite">
      {device ? <CheckCircleFilled aria-hidden /> : <LoadingOutlined aria-hidden />}
      <div>
        <strong>{device ? addDeviceText.arrived(device.name) : addDeviceText.waiting}</strong>
        <p>{device ? addDeviceText.arrivedHint : hint}</p>
      </div>
    </div>
  );
}

type AddDeviceDialogProps = {
  devices: readonly Device[];
  onClose: () => void;
  onAddMapping: (device: Device) => void;
};

/** Shows a command to paste, and waits until the device is online. */
export function AddDeviceDialog({ devices, onClose, onAddMapping }: AddDeviceDialogProps) {
  const [knownIds] = useState(() => new Set(devices.map((device) => device.id)));
  const arrived = devices.find((device) => !knownIds.has(device.id) && device.online);
  const hasArrived = arrived !== undefined;
  useWatchForDevice(!hasArrived);
  const [way, setWay] = useState<Way>('agent');
  const forgetKey = useForgetKeyToPaste();
  // Not immediately, because the dialog still shows the command.
  useEffect(() => (hasArrived ? forgetKey : undefined), [hasArrived, forgetKey]);
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
      <Segmented
        block
        aria-label={addDeviceText.way}
        options={ways}
        value={way}
        onChange={setWay}
        className={styles.ways ?? ''}
      />
      {way === 'agent' ? <KeyInstructions /> : <AddFrpcDevice />}
      <OnlineWait device={arrived} hint={(way === 'agent' ? addDeviceText : frpcText).waitingHint} />
      {way === 'agent' && <AccountTokenNote />}
    </Dialog>
  );
}
