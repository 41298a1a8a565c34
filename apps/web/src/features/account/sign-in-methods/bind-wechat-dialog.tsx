import { Button } from 'antd';
import { sharedText } from '../../../text/shared.ts';
import { wechatText } from '../../../text/account/users.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { WechatScan } from '../../login/wechat/wechat-scan.tsx';
import { useBindWechat } from '../use-user-info.ts';
import styles from '../account.module.css';

const dialogWidthPx = 420;

/** Binds the WeChat account that scans the QR code. A failure is shown beside the code, with a button for a new one. */
export function BindWechatDialog({ ssoUrl, onClose }: { ssoUrl: string; onClose: () => void }) {
  const toast = useToast();
  const bind = useBindWechat();
  return (
    <Dialog
      title={wechatText.bindTitle}
      width={dialogWidthPx}
      footer={<Button onClick={onClose}>{sharedText.cancel}</Button>}
      onClose={onClose}
    >
      <p className={styles.hint}>{wechatText.bindHint}</p>
      <WechatScan
        ssoUrl={ssoUrl}
        onCode={async (code) => {
          await bind.mutateAsync(code);
          toast.success(wechatText.done);
          onClose();
        }}
      />
    </Dialog>
  );
}
