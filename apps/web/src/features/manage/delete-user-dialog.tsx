import type { ManagedUser } from '@tongtu/contract';
import { deleteUserText } from '../../text/manage.ts';
import { useToast } from '../../ui/use-toast.ts';
import { DeleteByNameDialog, DeletedItems } from '../confirm/delete-by-name-dialog.tsx';
import { useDeleteUser } from './use-managed-users.ts';

export function DeleteUserDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { id, username, device_count: devices, mapping_count: mappings } = user;
  const toast = useToast();
  return (
    <DeleteByNameDialog
      name={username}
      text={deleteUserText}
      description={<DeletedItems items={deleteUserText.deleted(devices, mappings)} note={deleteUserText.instead} />}
      remove={useDeleteUser(id)}
      onSuccess={() => toast.success(deleteUserText.done(username))}
      onClose={onClose}
    />
  );
}
