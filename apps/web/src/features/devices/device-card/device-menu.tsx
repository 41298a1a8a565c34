import {
  DeleteOutlined,
  MoreOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  PushpinOutlined,
  SafetyOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import type { Device, DevicePatch } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { deviceAlertsText } from '../../../text/alerts.ts';
import { devicesText } from '../../../text/devices.ts';
import { allowListText } from '../../../text/mappings.ts';
import { useAsk } from '../../../ui/use-ask.ts';
import { useToast } from '../../../ui/use-toast.ts';
import type { DeviceDialog } from '../device-dialogs.tsx';
import { useAlertsItem } from './use-alerts-item.tsx';
import { useUpdateDevice } from '../use-devices.ts';

type DeviceMenuProps = { device: Device; onOpen: (dialog: DeviceDialog) => void };

export function DeviceMenu({ device, onOpen }: DeviceMenuProps) {
  const ask = useAsk();
  const toast = useToast();
  const update = useUpdateDevice();
  const [isOpen, setIsOpen] = useState(false);
  const alertsItem = useAlertsItem({
    device,
    isOpen,
    onSwitch: (isOn) =>
      void change(
        { alerts_enabled: isOn },
        isOn ? deviceAlertsText.turnedOn(device.name) : deviceAlertsText.turnedOff(device.name),
      ),
  });

  /** `done` is what to say then, where the screen itself does not show it well enough. */
  async function change(patch: DevicePatch, done?: string): Promise<void> {
    try {
      await update.mutateAsync({ id: device.id, patch });
      if (done !== undefined) toast.success(done);
    } catch (error) {
      toast.error(errorText(error));
    }
  }

  function confirmDisable() {
    ask({
      title: devicesText.disableTitle(device.name),
      text: devicesText.disableText,
      confirm: devicesText.disable,
      canBeUndone: true,
      onConfirm: () => void change({ enabled: false }),
    });
  }

  const isDisabled = device.state === 'disabled';
  const items: MenuProps['items'] = [
    {
      key: 'pin',
      icon: <PushpinOutlined />,
      label: device.pinned ? devicesText.unpin : devicesText.pin,
      onClick: () => void change({ pinned: !device.pinned }),
    },
    {
      key: 'allow-list',
      icon: <SafetyOutlined />,
      label: allowListText.open,
      onClick: () => onOpen({ type: 'allow-list', device }),
    },
    alertsItem,
    isDisabled
      ? {
          key: 'enable',
          icon: <PlayCircleOutlined />,
          label: devicesText.enable,
          onClick: () => void change({ enabled: true }, devicesText.enabledAgain),
        }
      : { key: 'disable', icon: <PauseCircleOutlined />, label: devicesText.disable, onClick: confirmDisable },
    { type: 'divider' },
    {
      key: 'delete',
      danger: true,
      icon: <DeleteOutlined />,
      label: devicesText.remove,
      onClick: () => onOpen({ type: 'delete-device', device }),
    },
  ];
  return (
    <Dropdown trigger={['click']} menu={{ items }} placement="bottomRight" onOpenChange={setIsOpen}>
      <Button
        type="text"
        icon={<MoreOutlined />}
        loading={update.isPending}
        aria-label={`${device.name} ${devicesText.more}`}
        title={devicesText.more}
      />
    </Dropdown>
  );
}
