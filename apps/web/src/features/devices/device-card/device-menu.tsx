import {
  CodeOutlined,
  DeleteOutlined,
  FolderOutlined,
  FileTextOutlined,
  LineChartOutlined,
  MedicineBoxOutlined,
  MoreOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  PushpinOutlined,
  RadarChartOutlined,
  SafetyOutlined,
  ShoppingOutlined,
  SwapOutlined,
} from '@ant-design/icons';
import type { Device } from '@tongtu/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSiteConfig } from '../../../api/index.ts';
import { lanPath, plansPath, statisticsPath } from '../../../routing/paths.ts';
import { deviceAlertsText } from '../../../text/account/alerts.ts';
import { adoptionText } from '../../../text/devices/adoption.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { frpcShownText } from '../../../text/devices/frpc-shown.ts';
import { groupsText } from '../../../text/devices/many-devices.ts';
import { allowListText } from '../../../text/devices/mappings.ts';
import { MenuButton, type MenuEntry } from '../../../ui/menu/menu-button.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { useAlertsItem } from './use-alerts-item.tsx';
import { useChangeDevice } from './use-change-device.ts';

type DeviceMenuProps = { device: Device; onOpen: (dialog: DeviceDialog) => void };

export function DeviceMenu({ device, onOpen }: DeviceMenuProps) {
  const confirm = useConfirm();
  const hasPlans = useSiteConfig()?.billing === 'on';
  const navigate = useNavigate();
  const { change, isChanging } = useChangeDevice(device);
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

  function confirmDisable() {
    confirm({
      title: devicesText.disableTitle(device.name),
      text: devicesText.disableText,
      confirm: devicesText.disable,
      canBeUndone: true,
      onConfirm: () => void change({ enabled: false }),
    });
  }

  const isDisabled = device.state === 'disabled';
  const switchItem: MenuEntry = isDisabled
    ? {
        key: 'enable',
        icon: <PlayCircleOutlined />,
        label: devicesText.enable,
        onSelect: () => void change({ enabled: true }, devicesText.enabledAgain),
      }
    : { key: 'disable', icon: <PauseCircleOutlined />, label: devicesText.disable, onSelect: confirmDisable };
  // frpc cannot scan the LAN.
  const programItems: Record<Device['program'], MenuEntry> = {
    agent: {
      key: 'lan',
      icon: <RadarChartOutlined />,
      label: devicesText.discover,
      onSelect: () => void navigate(lanPath(device.id)),
    },
    frpc: {
      key: 'frpc',
      icon: <CodeOutlined />,
      label: frpcShownText.menu,
      onSelect: () => onOpen({ type: 'frpc', device }),
    },
    'frpc-toml': {
      key: 'frpc',
      icon: <CodeOutlined />,
      label: frpcShownText.tomlMenu,
      onSelect: () => onOpen({ type: 'frpc-account' }),
    },
  };
  const isManagedByFrpc = device.program === 'frpc-toml';
  const fileItem: MenuEntry = {
    key: 'mapping-file',
    icon: <FileTextOutlined />,
    label: devicesText.mappingFile,
    onSelect: () => onOpen({ type: 'mapping-file', device }),
  };
  const adoptItem: MenuEntry = {
    key: 'adopt',
    icon: <SwapOutlined />,
    label: adoptionText.open,
    onSelect: () => onOpen({ type: 'adopt-device', device }),
  };
  const planItem: MenuEntry = {
    key: 'plan',
    icon: <ShoppingOutlined />,
    label: devicesText.plan,
    onSelect: () => void navigate(plansPath(device.id)),
  };
  const entries: MenuEntry[] = [
    {
      key: 'pin',
      icon: <PushpinOutlined />,
      label: device.pinned ? devicesText.unpin : devicesText.pin,
      onSelect: () => void change({ pinned: !device.pinned }),
    },
    {
      key: 'group',
      icon: <FolderOutlined />,
      label: groupsText.move,
      onSelect: () => onOpen({ type: 'move-devices', devices: [device] }),
    },
    {
      key: 'statistics',
      icon: <LineChartOutlined />,
      label: devicesText.statistics,
      onSelect: () => void navigate(statisticsPath({ router: device.id })),
    },
    ...(hasPlans ? [planItem] : []),
    programItems[device.program],
    {
      key: 'diagnosis',
      icon: <MedicineBoxOutlined />,
      label: devicesText.diagnose,
      onSelect: () => onOpen({ type: 'diagnosis', device }),
    },
    {
      key: 'allow-list',
      icon: <SafetyOutlined />,
      label: allowListText.open,
      onSelect: () => onOpen({ type: 'allow-list', device }),
    },
    ...(isManagedByFrpc ? [] : [fileItem]),
    alertsItem,
    ...(device.suspended ? [] : [switchItem]),
    'divider',
    ...(device.online || isManagedByFrpc ? [] : [adoptItem]),
    {
      key: 'delete',
      isDangerous: true,
      icon: <DeleteOutlined />,
      label: devicesText.remove,
      onSelect: () => onOpen({ type: 'delete-device', device }),
    },
  ];
  return (
    <MenuButton
      type="text"
      entries={entries}
      onOpenChange={setIsOpen}
      icon={<MoreOutlined />}
      loading={isChanging}
      aria-label={`${device.name} ${devicesText.more}`}
      title={devicesText.more}
    />
  );
}
