import { Button } from 'antd';
import { frpcTomlText } from '../../../text/devices/frpc.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { AccountTexts } from './account-texts.tsx';
import { useRotateFrpcAccount } from './use-frpc.ts';

const dialogWidthPx = 680;

/** With what the devices of the account connect that have their own frpc.toml. */
export function FrpcAccountDialog({ onClose }: { onClose: () => void }) {
  const rotate = useRotateFrpcAccount();
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useFailureToast();

  function confirmRotation() {
    confirm({
      title: frpcTomlText.rotateTitle,
      text: frpcTomlText.rotateText,
      confirm: frpcTomlText.rotate,
      onConfirm: () =>
        rotate.mutate(undefined, { onSuccess: () => toast.success(frpcTomlText.rotated), onError: showFailure }),
    });
  }

  return (
    <Dialog
      title={frpcTomlText.dialogTitle}
      width={dialogWidthPx}
      onClose={onClose}
      footer={
        <>
          <Button danger loading={rotate.isPending} onClick={confirmRotation}>
            {frpcTomlText.rotate}
          </Button>
          <Button onClick={onClose}>{sharedText.close}</Button>
        </>
      }
    >
      <AccountTexts rotated={rotate.data} />
    </Dialog>
  );
}
