import {
  CrownOutlined,
  DeleteOutlined,
  KeyOutlined,
  MoreOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import type { ManagedUser, Profile } from '@tongtu/contract';
import { hasRole, mayManage } from '@tongtu/contract/roles';
import { manageText } from '../../text/manage.ts';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import type { ManageDialog } from './manage-dialogs.tsx';
import { useSetDisabled } from './use-managed-users.ts';
import { hasNoWayIn } from './user-state.ts';

type UserMenuProps = { user: ManagedUser; profile: Profile; onOpen: (dialog: ManageDialog) => void };

/** What this member of the staff may do about the account; nothing for some. */
export function UserMenu({ user, profile, onOpen }: UserMenuProps) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const setDisabled = useSetDisabled(user.id);
  const isOther = user.id !== profile.id && mayManage(profile, user);
  const isDeleting = user.deletion_at !== null && user.disabled_at !== null;
  const items: MenuProps['items'] = [];
  if (isOther && user.disabled_at === null) {
    items.push({
      key: 'password',
      icon: <KeyOutlined />,
      label: hasNoWayIn(user) ? manageText.firstPasswordLink : manageText.passwordLink,
      onClick: () => onOpen({ type: 'password-link', user }),
    });
  }
  if (hasRole(profile, 'superuser')) {
    items.push({
      key: 'roles',
      icon: <CrownOutlined />,
      label: manageText.roles,
      onClick: () => onOpen({ type: 'roles', user }),
    });
  }
  if (isOther) {
    items.push(
      user.disabled_at === null
        ? { key: 'disable', icon: <PauseCircleOutlined />, label: manageText.disable, onClick: confirmDisable }
        : {
            key: 'enable',
            icon: <PlayCircleOutlined />,
            label: manageText.enable,
            onClick: () => toastOutcome(setDisabled.mutateAsync(false), manageText.enabled(user.username)),
          },
      { type: 'divider' },
      {
        key: 'delete',
        danger: true,
        icon: <DeleteOutlined />,
        label: manageText.remove,
        onClick: () => onOpen({ type: 'delete', user }),
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

  if (items.length === 0 || isDeleting) return null;
  return (
    <Dropdown trigger={['click']} menu={{ items }} placement="bottomRight">
      <Button
        type="text"
        icon={<MoreOutlined />}
        loading={setDisabled.isPending}
        aria-label={manageText.actions(user.username)}
        title={manageText.actions(user.username)}
      />
    </Dropdown>
  );
}
