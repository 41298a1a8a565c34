import { Alert } from 'antd';
import { deletionNoticeText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { useSecurity } from '../use-security.ts';
import { TakeBackDeletion } from './take-back-deletion.tsx';

/** A notice above every screen while the account is scheduled for deletion. */
export function DeletionNotice() {
  const deletionAt = useSecurity().data?.deletion_at;
  if (deletionAt === null || deletionAt === undefined) return null;
  return (
    <Alert
      banner
      type="warning"
      title={deletionNoticeText.title(momentText(deletionAt))}
      action={<TakeBackDeletion size="small" />}
    />
  );
}
