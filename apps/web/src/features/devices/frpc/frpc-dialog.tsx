import { Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { frpcText } from '../../../text/devices/frpc.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import { FrpcTexts } from './frpc-texts.tsx';
import { useFrpcConfiguration, useRotateFrpcSecret } from './use-frpc.ts';

const dialogWidthPx = 680;

/** The configuration of a device's frpc: shown again, or with another secret. */
export function FrpcDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const reveal = useFrpcConfiguration(device.id);
  const rotate = useRotateFrpcSecret(device.id);
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useFailureToast();
  const configuration = rotate.data ?? reveal.data;

  function confirmRotation() {
    confirm({
      title: frpcText.rotateTitle(device.name),
      text: frpcText.rotateText,
      confirm: frpcText.rotate,
      onConfirm: () =>
        rotate.mutate(undefined, { onSuccess: () => toast.success(frpcText.rotated), onError: showFailure }),
    });
  }

  return (
    <Dialog
      title={frpcText.dialogTitle(device.name)}
      width={dialogWidthPx}
      onClose={onClose}
      footer={
        <>
          <Button danger loading={rotate.isPending} onClick={confirmRotation}>
            {frpcText.rotate}
          </Button>
          <Button onClick={onClose}>{sharedText.close}</Button>
        </>
      }
    >
      {configuration ? (
        <FrpcTexts configuration={configuration} />
      ) : (
        <>
          <p className={lines.hint}>{frpcText.revealHint}</p>
          <Button
            type="primary"
            loading={reveal.isPending}
            onClick={() => reveal.mutate(undefined, { onError: showFailure })}
          >
            {frpcText.reveal}
          </Button>
        </>
      )}
    </Dialog>
  );
}
