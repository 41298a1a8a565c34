import { Button } from 'antd';
import type { Profile } from '@tongtu/contract';
import { useState } from 'react';
import { tokenText } from '../../../text/account/users.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Secret } from '../../../ui/copy/secret.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { SectionCard } from '../section-card.tsx';
import { SettingRow } from '../setting-row.tsx';
import { useSecurity } from '../use-security.ts';
import { useEndPreviousToken, useRotateToken } from '../use-user-info.ts';
import styles from '../account.module.css';

export function TokenSection({ profile }: { profile: Profile }) {
  const previousUntil = useSecurity().data?.previous_token_until ?? undefined;
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SectionCard name="token" title={tokenText.token} intro={tokenText.hint}>
      <SettingRow
        title={<Secret secret={profile.token} label={tokenText.token} />}
        text={previousUntil === undefined ? '' : <Previous until={previousUntil} />}
        actions={
          <Button onClick={() => setIsAsking(true)} aria-label={tokenText.rotateLabel}>
            {tokenText.rotate}
          </Button>
        }
      />
      {isAsking && <RotateDialog onClose={() => setIsAsking(false)} />}
    </SectionCard>
  );
}

/** The previous token, while it is still valid. */
function Previous({ until }: { until: string }) {
  const end = useEndPreviousToken();
  return (
    <>
      {tokenText.previous(momentText(until))}
      <ConfirmedButton
        type="link"
        size="small"
        danger
        className={styles.furtherWord ?? ''}
        question={{
          title: tokenText.endPreviousTitle,
          text: tokenText.endPreviousText,
          confirm: tokenText.endPreviousConfirm,
        }}
        run={() => end.mutateAsync()}
        isRunning={end.isPending}
        done={tokenText.previousEnded}
      >
        {tokenText.endPrevious}
      </ConfirmedButton>
    </>
  );
}

function RotateDialog({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const rotate = useRotateToken();

  function onOk() {
    void rotate
      .mutateAsync()
      .then(() => {
        toast.success(tokenText.rotated);
        onClose();
      })
      // The dialog shows the error.
      .catch(() => undefined);
  }
  return (
    <Dialog
      title={tokenText.rotateTitle}
      okText={tokenText.rotateLabel}
      confirmLoading={rotate.isPending}
      onOk={onOk}
      onClose={onClose}
    >
      <ul className={styles.points}>
        {tokenText.rotateText.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Problem error={rotate.error} />
    </Dialog>
  );
}
