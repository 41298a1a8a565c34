import { Button } from 'antd';
import type { Profile } from '@tongtu/contract';
import { useState } from 'react';
import { tokenText } from '../../../text/account/users.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Secret } from '../../../ui/copy/secret.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
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
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const end = useEndPreviousToken();

  function onConfirm() {
    toastOutcome(end.mutateAsync(), tokenText.previousEnded);
  }
  return (
    <>
      {tokenText.previous(momentText(until))}
      <Button
        type="link"
        size="small"
        danger
        loading={end.isPending}
        className={styles.furtherWord ?? ''}
        onClick={() =>
          confirm({
            title: tokenText.endPreviousTitle,
            text: tokenText.endPreviousText,
            confirm: tokenText.endPreviousConfirm,
            onConfirm,
          })
        }
      >
        {tokenText.endPrevious}
      </Button>
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
