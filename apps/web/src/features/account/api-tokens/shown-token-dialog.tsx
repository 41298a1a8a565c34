import { Alert, Button } from 'antd';
import type { Reply } from '@tongtu/contract';
import { apiTokensText } from '../../../text/account/account.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../account.module.css';
import { exampleCall } from './example-call.ts';

type ShownTokenDialogProps = { created: Reply<'POST /api/user/api_tokens/'>; onClose: () => void };

/** Shows a token once. Only its button closes the dialog, so that nobody loses the token by accident. */
export function ShownTokenDialog({ created, onClose }: ShownTokenDialogProps) {
  const { token, api_token: apiToken } = created;
  const { command, isAboutOne } = exampleCall(window.location.origin, token, apiToken.scopes);
  return (
    <Dialog
      title={apiTokensText.shownTitle}
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
      <p className={styles.hint}>{isAboutOne ? apiTokensText.usageOfOne : apiTokensText.usage}</p>
      <pre className={styles.command}>{command}</pre>
    </Dialog>
  );
}
