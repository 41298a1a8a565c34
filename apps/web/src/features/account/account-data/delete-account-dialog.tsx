import { useProfile } from '../../../api/index.ts';
import { deleteAccountText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { DeleteByNameDialog, DeletedItems } from '../../confirm/delete-by-name-dialog.tsx';
import { useDeleteAccount } from './use-account-data.ts';

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  return (
    <DeleteByNameDialog
      name={useProfile()?.username ?? ''}
      text={deleteAccountText}
      description={<DeletedItems items={deleteAccountText.deleted} note={deleteAccountText.meanwhile} />}
      remove={useDeleteAccount()}
      onSuccess={({ deletion_at: at }) => {
        if (at !== null) toast.success(deleteAccountText.accepted(momentText(at)));
      }}
      onClose={onClose}
    />
  );
}
