import { Alert, Button } from 'antd';
import type { Reply } from '@tongtu/contract';
import { enrolmentKeysText } from '../../../text/devices/devices.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { KeyCommands } from '../../enrolment-keys/key-commands.tsx';
import styles from '../account.module.css';

const dialogWidthPx = 680;

type ShownKeyDialogProps = { created: Reply<'POST /api/user/enrolment_keys/'>; onClose: () => void };

/** Shows a key once. Only its button closes the dialog, so that nobody loses the key by accident. */
export function ShownKeyDialog({ created: { key }, onClose }: ShownKeyDialogProps) {
  return (
    <Dialog
      title={enrolmentKeysText.shownTitle}
      width={dialogWidthPx}
      footer={
        <Button type="primary" onClick={onClose}>
          {enrolmentKeysText.saved}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={enrolmentKeysText.shownOnce} className={styles.notice ?? ''} />
      <div className={styles.secretLine}>
        <Mono>{key}</Mono>
        <CopyButton text={key} label={enrolmentKeysText.key} />
      </div>
      <KeyCommands enrolmentKey={key} />
    </Dialog>
  );
}
