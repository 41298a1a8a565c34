import {
  DeleteOutlined,
  EditOutlined,
  FileSearchOutlined,
  LaptopOutlined,
  LineChartOutlined,
  MoreOutlined,
  SafetyCertificateOutlined,
  ShareAltOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons';
import { Button, Switch, Tooltip } from 'antd';
import type { Device, Mapping } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { paths, statisticsPath, visitsPath, withQuery } from '../../../routing/paths.ts';
import { mappingText } from '../../../text/devices/mappings.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { isGated, isVerifiedByAddress, shownName } from '../mapping-address.ts';
import styles from './mapping-row.module.css';
import { useDeleteMapping, useUpdateMapping } from '../use-devices.ts';

type IconActionProps = { word: string; name: string; icon: ReactNode; onClick: () => void };

function IconAction({ word, name, icon, ...rest }: IconActionProps) {
  return (
    <Tooltip title={word}>
      <Button type="text" size="small" icon={icon} aria-label={`${word} ${name}`} {...rest} />
    </Tooltip>
  );
}

export type MappingActionsProps = { device: Device; mapping: Mapping; onOpen: (dialog: DeviceDialog) => void };

export function MappingActions({ device, mapping, onOpen }: MappingActionsProps) {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const toastFailure = useFailureToast();
  const update = useUpdateMapping();
  const remove = useDeleteMapping();
  const name = shownName(mapping);

  function toggle(enabled: boolean) {
    // A user who leaves the screen at once reads it, too: a mapping that was not closed is still open.
    update.mutateAsync({ id: mapping.id, patch: { enabled } }).catch(toastFailure);
  }

  function confirmRemove() {
    confirm({
      title: mappingText.removeTitle(name),
      text: mappingText.removeText,
      confirm: mappingText.remove,
      onConfirm: () => toastOutcome(remove.mutateAsync(mapping.id), mappingText.removed),
    });
  }

  const entries: MenuEntry[] = [
    ...(isVerifiedByAddress(mapping)
      ? []
      : [
          {
            key: 'share',
            icon: <ShareAltOutlined />,
            label: mappingText.share,
            onSelect: () => onOpen({ type: 'sharing', mapping }),
          },
        ]),
    ...(isGated(mapping)
      ? [
          {
            key: 'mark-client',
            icon: <LaptopOutlined />,
            label: mappingText.markClient,
            onSelect: () => onOpen({ type: 'client-window', mapping }),
          },
        ]
      : []),
    {
      key: 'statistics',
      icon: <LineChartOutlined />,
      label: mappingText.statistics,
      onSelect: () => void navigate(statisticsPath({ router: device.id, mapping: mapping.id })),
    },
    {
      key: 'records',
      icon: <SafetyCertificateOutlined />,
      label: mappingText.records,
      onSelect: () => void navigate(withQuery(paths.records, { mapping: String(mapping.id) })),
    },
    {
      key: 'visits',
      icon: <FileSearchOutlined />,
      label: mappingText.visits,
      onSelect: () => void navigate(visitsPath(mapping.id)),
    },
    'divider',
    { key: 'remove', isDangerous: true, icon: <DeleteOutlined />, label: mappingText.remove, onSelect: confirmRemove },
  ];
  return (
    <div className={styles.actions}>
      <Switch
        size="small"
        checked={mapping.enabled}
        loading={update.isPending}
        onChange={toggle}
        aria-label={mappingText.toggle(name)}
        title={mapping.enabled ? mappingText.enabled : mappingText.disabled}
      />
      <IconAction
        word={mappingText.test}
        name={name}
        icon={<ThunderboltOutlined />}
        onClick={() => onOpen({ type: 'test', device, mapping })}
      />
      <IconAction
        word={mappingText.edit}
        name={name}
        icon={<EditOutlined />}
        onClick={() => onOpen({ type: 'edit-mapping', device, mapping })}
      />
      <MenuButton
        type="text"
        size="small"
        entries={entries}
        icon={<MoreOutlined />}
        loading={remove.isPending}
        aria-label={`${mappingText.more} ${name}`}
        title={mappingText.more}
      />
    </div>
  );
}
