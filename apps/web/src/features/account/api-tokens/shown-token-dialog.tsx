import { Alert, Button, Modal } from 'antd';
import type { Reply } from '@tongtu/contract';
import { apiTokensText } from '../../../text/account.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../account.module.css';

type ShownTokenDialogProps = { created: Reply<'POST /api/user/api_tokens/'>; onClose: () => void };

/** Shows a token the only time it can be seen, so it is closed by its button alone. */
export function ShownTokenDialog({ created, onClose }: ShownTokenDialogProps) {
  const { token } = created;
  return (
    <Modal
      open
      title={apiTokensText.shownTitle}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {apiTokensText.saved}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={apiTokensText.shownOnce} className={styles.notice ?? ''} />
      <div className={styles.secretLine}>
        <Mono>{token}</Mono>
        <CopyButton text={token} label={apiTokensText.title} />
      </div>
      <p className={styles.hint}>{apiTokensText.usage}</p>
      <pre className={styles.command}>
        {`curl -H 'Authorization: Bearer ${token}' ${window.location.origin}/api/user/routers/`}
      </pre>
    </Modal>
  );
}
