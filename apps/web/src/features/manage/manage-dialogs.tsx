import type { ManagedUser } from '@tongtu/contract';
import { CreateAccountDialog } from './links/create-account-dialog.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { InviteDialog } from './links/invite-dialog.tsx';
import { PasswordLinkDialog } from './links/password-link-dialog.tsx';
import { RolesDialog } from './roles-dialog.tsx';
import { useRegistration } from './use-managed-users.ts';

/** The one dialog that may be open on the screen. */
export type ManageDialog =
  | { type: 'invite' }
  | { type: 'create' }
  | { type: 'password-link'; user: ManagedUser }
  | { type: 'roles'; user: ManagedUser }
  | { type: 'delete'; user: ManagedUser };

type ManageDialogsProps = { dialog: ManageDialog | undefined; onClose: () => void };

export function ManageDialogs({ dialog, onClose }: ManageDialogsProps) {
  const hasMail = useRegistration().data?.mail === true;
  switch (dialog?.type) {
    case undefined:
      return null;
    case 'invite':
      return <InviteDialog hasMail={hasMail} onClose={onClose} />;
    case 'create':
      return <CreateAccountDialog onClose={onClose} />;
    case 'password-link':
      return <PasswordLinkDialog user={dialog.user} onClose={onClose} />;
    case 'roles':
      return <RolesDialog user={dialog.user} onClose={onClose} />;
    case 'delete':
      return <DeleteUserDialog user={dialog.user} onClose={onClose} />;
  }
}
