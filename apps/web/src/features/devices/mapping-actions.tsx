import { DeleteOutlined, EditOutlined, ThunderboltOutlined } from '@ant-design/icons';
import { App, Button, Switch, Tooltip } from 'antd';
import type { Device, Mapping } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { errorText } from '../../api/index.ts';
import { mappingText } from '../../text/devices.ts';
import { sharedText } from '../../text/shared.ts';
import { useToast } from '../../ui/use-toast.ts';
import type { DeviceDialog } from './device-dialogs.tsx';
import styles from './mapping-row.module.css';
import { useDeleteMapping, useUpdateMapping } from './use-devices.ts';

type IconActionProps = { word: string; domain: string; icon: ReactNode; isDanger?: boolean; onClick: () => void };

function IconAction({ word, domain, icon, isDanger = false, onClick }: IconActionProps) {
  return (
    <Tooltip title={word}>
      <Button
        type="text"
        size="small"
        danger={isDanger}
        icon={icon}
        onClick={onClick}
        aria-label={`${word} ${domain}`}
      />
    </Tooltip>
  );
}

export type MappingActionsProps = { device: Device; mapping: Mapping; onOpen: (dialog: DeviceDialog) => void };

export function MappingActions({ device, mapping, onOpen }: MappingActionsProps) {
  const { modal } = App.useApp();
  const toast = useToast();
  const update = useUpdateMapping();
  const remove = useDeleteMapping();
  const { domain } = mapping;

  function toggle(enabled: boolean) {
    const onError = (error: Error) => toast.error(errorText(error));
    update.mutate({ id: mapping.id, patch: { enabled } }, { onError });
  }

  function confirmRemove() {
    void modal.confirm({
      title: mappingText.removeTitle(domain),
      content: mappingText.removeText,
      okText: mappingText.remove,
      cancelText: sharedText.cancel,
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          await remove.mutateAsync(mapping.id);
          toast.success(mappingText.removed);
        } catch (error) {
          toast.error(errorText(error));
        }
      },
    });
  }

  return (
    <div className={styles.actions}>
      <Switch
        size="small"
        checked={mapping.enabled}
        loading={update.isPending}
        onChange={toggle}
        aria-label={mappingText.toggle(domain)}
        title={mapping.enabled ? mappingText.enabled : mappingText.disabled}
      />
      <IconAction
        word={mappingText.test}
        domain={domain}
        icon={<ThunderboltOutlined />}
        onClick={() => onOpen({ type: 'test', device, mapping })}
      />
      <IconAction
        word={mappingText.edit}
        domain={domain}
        icon={<EditOutlined />}
        onClick={() => onOpen({ type: 'edit-mapping', device, mapping })}
      />
      <IconAction
        word={mappingText.remove}
        domain={domain}
        icon={<DeleteOutlined />}
        isDanger
        onClick={confirmRemove}
      />
    </div>
  );
}
