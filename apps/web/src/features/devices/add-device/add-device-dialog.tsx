import { ArrowLeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { useCallback, useEffect, useState } from 'react';
import { wizardText } from '../../../text/devices/add-device.ts';
import { addDeviceText } from '../../../text/devices/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useForgetKeyToPaste } from '../../enrolment-keys/use-enrolment-keys.ts';
import { useCreateFrpcDevice } from '../frpc/use-frpc.ts';
import { AccountTokenNote } from './account-token-note.tsx';
import styles from './add-device.module.css';
import { ChooseBox } from './choose-box.tsx';
import type { Box, Shown } from './boxes.ts';
import { ChosenBox } from './chosen-box.tsx';
import { useWatchForDevice } from './use-add-device.ts';
import { Arrived, Waiting } from './waiting.tsx';

const dialogWidthPx = 680;

type AddDeviceDialogProps = {
  devices: readonly Device[];
  onClose: () => void;
  onAddMapping: (device: Device) => void;
};

/** Asks what the device is, shows what to do there, and waits until it is online. */
export function AddDeviceDialog({ devices, onClose, onAddMapping }: AddDeviceDialogProps) {
  const [before] = useState(() => new Map(devices.map(({ id, online }) => [id, online])));
  const [box, setBox] = useState<Box>();
  const [shown, setShown] = useState<Shown & { atMs: number }>();
  const createFrpc = useCreateFrpcDevice();
  const arrived = devices.find(({ id, online }) => online && !before.has(id));
  const returned = devices.find(({ id, online }) => online && before.get(id) === false);
  const hasArrived = arrived !== undefined;
  useWatchForDevice(shown !== undefined && !hasArrived);
  const onShown = useCallback((next: Shown) => setShown({ ...next, atMs: performance.now() }), []);
  const forgetKey = useForgetKeyToPaste();
  // Not immediately, because the dialog still shows the command.
  useEffect(() => (hasArrived ? forgetKey : undefined), [hasArrived, forgetKey]);

  function goBack() {
    setBox(undefined);
    setShown(undefined);
  }

  return (
    <Dialog
      title={addDeviceText.title}
      width={dialogWidthPx}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{sharedText.close}</Button>
          {arrived && arrived.program !== 'frpc-toml' && (
            <Button type="primary" onClick={() => onAddMapping(arrived)}>
              {addDeviceText.next}
            </Button>
          )}
        </>
      }
    >
      {box === undefined ? (
        <ChooseBox onChoose={setBox} />
      ) : (
        <>
          {!arrived && (
            <Button type="link" icon={<ArrowLeftOutlined aria-hidden />} onClick={goBack} className={styles.back ?? ''}>
              {wizardText.back}
            </Button>
          )}
          <ChosenBox box={box} createFrpc={createFrpc} onShown={onShown} onBack={goBack} />
        </>
      )}
      {arrived && <Arrived device={arrived} />}
      {shown && !arrived && <Waiting key={shown.atMs} shown={shown} returned={returned} />}
      {shown?.program === 'agent' && <AccountTokenNote />}
    </Dialog>
  );
}
