import { Button } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useProfile } from '../../../api/index.ts';
import { accountDataText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { downloadText } from '../../../ui/copy/download-text.ts';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import { SettingRow } from '../setting-row.tsx';
import { useSecurity } from '../use-security.ts';
import styles from '../account.module.css';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { TakeBackDeletion } from './take-back-deletion.tsx';
import { useExport } from './use-account-data.ts';

export function AccountDataSection() {
  const security = useSecurity();
  return (
    <SectionCard name="data" title={accountDataText.title}>
      <Loaded query={security}>
        {({ deletion_at: deletionAt }) => (
          <>
            <ExportRow />
            {deletionAt === null ? <DeleteRow /> : <PendingRow at={deletionAt} />}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function ExportRow() {
  const profile = useProfile();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const exportData = useExport();

  function save(content: unknown) {
    const fileName = accountDataText.fileName(profile?.username ?? '', dayjs().format('YYYY-MM-DD'));
    downloadText(fileName, JSON.stringify(content, null, 2), 'application/json');
    toast.success(accountDataText.exported);
  }
  return (
    <SettingRow
      title={accountDataText.export}
      text={accountDataText.exportText}
      actions={
        <Button
          loading={exportData.isPending}
          onClick={() => exportData.mutate(undefined, { onSuccess: save, onError: toastFailure })}
        >
          {accountDataText.exportAction}
        </Button>
      }
    />
  );
}

function DeleteRow() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SettingRow
      title={accountDataText.delete}
      text={accountDataText.deleteText}
      actions={
        <Button danger onClick={() => setIsAsking(true)}>
          {accountDataText.deleteAction}
        </Button>
      }
    >
      {isAsking && <DeleteAccountDialog onClose={() => setIsAsking(false)} />}
    </SettingRow>
  );
}

function PendingRow({ at }: { at: string }) {
  return (
    <SettingRow
      title={accountDataText.delete}
      text={<span className={styles.caution}>{accountDataText.pending(momentText(at))}</span>}
      actions={<TakeBackDeletion />}
    />
  );
}
