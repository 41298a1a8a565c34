import {
  DeleteOutlined,
  EditOutlined,
  ExportOutlined,
  LockOutlined,
  MoreOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  PoweroffOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import { Tag } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { AppName } from './app-name.tsx';
import styles from './cloud-apps.module.css';
import { OpenAppButton } from './open-app-button.tsx';
import { useDeleteApp, useUpdateApp } from './use-cloud-apps.ts';
import { canWakeAndOpen, wakeAndOpen } from './wake-and-open.ts';

type AppRowProps = {
  app: CloudApp;
  /** Whether the plan of its device has apps of this kind. */
  isInPlan: boolean;
  onOpen: (dialog: DeviceDialog) => void;
};

/** One of the user's own apps. */
export function AppRow({ app, isInPlan, onOpen }: AppRowProps) {
  return (
    <li className={`${styles.row} ${app.enabled ? '' : styles.off}`} aria-label={app.name}>
      <AppName app={app} />
      <span className={styles.who}>
        {app.member_count === 0 ? cloudAppsText.onlyOwner : cloudAppsText.ownerAndMembers(app.member_count)}
        {app.needs_second_factor && <Tag icon={<LockOutlined aria-hidden />}>{cloudAppsText.secondFactor}</Tag>}
        {!isInPlan && <StateTag tone="caution">{cloudAppsText.notInPlan}</StateTag>}
        {!app.enabled && <StateTag tone="muted">{cloudAppsText.disabled}</StateTag>}
      </span>
      <span className={styles.actions}>
        <OpenAppButton
          app={app}
          icon={app.kind === 'wol' ? <PoweroffOutlined aria-hidden /> : <ExportOutlined aria-hidden />}
        />
        <AppMenu app={app} onOpen={onOpen} />
      </span>
    </li>
  );
}

function AppMenu({ app, onOpen }: Omit<AppRowProps, 'isInPlan'>) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const update = useUpdateApp();
  const remove = useDeleteApp();
  const { id, name } = app;

  function switchTo(enabled: boolean) {
    toastOutcome(
      update.mutateAsync({ id, patch: { enabled } }),
      enabled ? cloudAppsText.enabledAgain(name) : cloudAppsText.disabledNow(name),
    );
  }

  const confirmDisable = () =>
    confirm({
      title: cloudAppsText.disableTitle(name),
      text: cloudAppsText.disableText,
      confirm: cloudAppsText.disable,
      canBeUndone: true,
      onConfirm: () => switchTo(false),
    });
  const confirmRemove = () =>
    confirm({
      title: cloudAppsText.removeTitle(name),
      text: cloudAppsText.removeText,
      confirm: cloudAppsText.remove,
      onConfirm: () => toastOutcome(remove.mutateAsync(id), cloudAppsText.removed(name)),
    });

  const entries: MenuEntry[] = [
    ...(canWakeAndOpen(app)
      ? [
          {
            key: 'wake',
            icon: <PoweroffOutlined />,
            label: cloudAppsText.wakeAndOpen,
            onSelect: () => wakeAndOpen(app),
          },
        ]
      : []),
    {
      key: 'edit',
      icon: <EditOutlined />,
      label: cloudAppsText.edit,
      onSelect: () => onOpen({ type: 'edit-app', app }),
    },
    {
      key: 'members',
      icon: <TeamOutlined />,
      label: cloudAppsText.members,
      onSelect: () => onOpen({ type: 'app-members', app }),
    },
    app.enabled
      ? { key: 'disable', icon: <PauseCircleOutlined />, label: cloudAppsText.disable, onSelect: confirmDisable }
      : {
          key: 'enable',
          icon: <PlayCircleOutlined />,
          label: cloudAppsText.enable,
          onSelect: () => switchTo(true),
        },
    'divider',
    {
      key: 'remove',
      isDangerous: true,
      icon: <DeleteOutlined />,
      label: cloudAppsText.remove,
      onSelect: confirmRemove,
    },
  ];
  return (
    <MenuButton
      type="text"
      size="small"
      entries={entries}
      icon={<MoreOutlined />}
      loading={update.isPending || remove.isPending}
      aria-label={cloudAppsText.more(name)}
      title={cloudAppsText.moreShort}
    />
  );
}
