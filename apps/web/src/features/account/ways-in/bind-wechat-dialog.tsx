import { Button, Modal } from 'antd';
import { sharedText } from '../../../text/shared.ts';
import { wechatText } from '../../../text/users.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { WechatScan } from '../../login/wechat/wechat-scan.tsx';
import { useBindWechat } from '../use-user-info.ts';
import styles from '../account.module.css';

const dialogWidthPx = 420;

/** Binds the WeChat that scans the picture. What goes wrong stands at the picture, with the offer of another one. */
export function BindWechatDialog({ ssoUrl, onClose }: { ssoUrl: string; onClose: () => void }) {
  const toast = useToast();
  const bind = useBindWechat();
  return (
    <Modal
      open
      title={wechatText.bindTitle}
      width={dialogWidthPx}
      footer={<Button onClick={onClose}>{sharedText.cancel}</Button>}
      onCancel={onClose}
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
    </Modal>
  );
}
