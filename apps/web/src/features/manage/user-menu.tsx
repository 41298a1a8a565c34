import {
  CrownOutlined,
  DeleteOutlined,
  KeyOutlined,
  MoreOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
} from '@ant-design/icons';
import type { ManagedUser, Profile } from '@tongtu/contract';
import { hasRole, mayManage } from '@tongtu/contract/roles';
import { manageText } from '../../text/manage.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu/menu-button.tsx';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import type { ManageDialog } from './manage-dialogs.tsx';
import { useSetDisabled } from './use-managed-users.ts';
import { hasNoSignInMethod } from './user-state.ts';

type UserMenuProps = { user: ManagedUser; profile: Profile; onOpen: (dialog: ManageDialog) => void };

/** What this member of the staff may do about the account; nothing for some. */
export function UserMenu({ user, profile, onOpen }: UserMenuProps) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const setDisabled = useSetDisabled(user.id);
  const isOther = user.id !== profile.id && mayManage(profile, user);
  const isDeleting = user.deletion_at !== null && user.disabled_at !== null;
  const entries: MenuEntry[] = [];
  if (isOther && user.disabled_at === null) {
    entries.push({
      key: 'password',
      icon: <KeyOutlined />,
      label: hasNoSignInMethod(user) ? manageText.firstPasswordLink : manageText.passwordLink,
      onSelect: () => onOpen({ type: 'password-link', user }),
    });
  }
  if (hasRole(profile, 'superuser')) {
    entries.push({
      key: 'roles',
      icon: <CrownOutlined />,
      label: manageText.roles,
      onSelect: () => onOpen({ type: 'roles', user }),
    });
  }
  if (isOther) {
    entries.push(
      user.disabled_at === null
        ? { key: 'disable', icon: <PauseCircleOutlined />, label: manageText.disable, onSelect: confirmDisable }
        : {
            key: 'enable',
            icon: <PlayCircleOutlined />,
            label: manageText.enable,
            onSelect: () => toastOutcome(setDisabled.mutateAsync(false), manageText.enabled(user.username)),
          },
      'divider',
      {
        key: 'delete',
        isDangerous: true,
        icon: <DeleteOutlined />,
        label: manageText.remove,
        onSelect: () => onOpen({ type: 'delete', user }),
      },
    );
  }

  function confirmDisable() {
    confirm({
      title: manageText.disableTitle(user.username),
      text: manageText.disableText,
      confirm: manageText.disable,
      onConfirm: () => toastOutcome(setDisabled.mutateAsync(true), manageText.disabled(user.username)),
    });
  }

  if (entries.length === 0 || isDeleting) return null;
  return (
    <MenuButton
      type="text"
      entries={entries}
      icon={<MoreOutlined />}
      loading={setDisabled.isPending}
      aria-label={manageText.actions(user.username)}
      title={manageText.actions(user.username)}
    />
  );
}
