import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useProfile } from '../../../api/index.ts';
import { recoveryText } from '../../../text/account/account.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../account.module.css';
import { downloadText } from '../../../ui/copy/download-text.ts';

/** Shows recovery codes once. Only its button closes the dialog, so that nobody loses them by accident. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const profile = useProfile();

  function download() {
    const head = recoveryText.fileHead(profile?.username ?? '');
    downloadText(recoveryText.fileName, `${[head, '', ...codes].join('\r\n')}\r\n`, 'text/plain');
  }
  return (
    <Dialog
      title={recoveryText.dialogTitle}
      footer={
        <Button type="primary" onClick={onClose}>
          {recoveryText.saved}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={recoveryText.once} />
      <ul className={styles.codes} aria-label={recoveryText.codes}>
        {codes.map((code) => (
          <li key={code}>
            <Mono>{code}</Mono>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton text={codes.join('\n')} label={recoveryText.allCodes} type="default" size="middle">
          {recoveryText.copyAll}
        </CopyButton>
        <Button icon={<DownloadOutlined aria-hidden />} onClick={download}>
          {recoveryText.download}
        </Button>
      </div>
    </Dialog>
  );
}
