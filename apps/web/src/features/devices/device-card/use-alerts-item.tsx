import { BellOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import type { AlertSettings, Device } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { alertSettingsQuery, useApi } from '../../../api/index.ts';
import { paths, withQuery } from '../../../routing/paths.ts';
import { deviceAlertsText } from '../../../text/account/alerts.ts';
import { CrossedBell } from './crossed-bell.tsx';

type AlertsItemInput = { device: Device; isOpen: boolean; onSwitch: (isOn: boolean) => void };

/**
 * The menu item that switches a device's alerts. Without a suitable alert channel it leads to the settings of channels.
 */
export function useAlertsItem({ device, isOpen, onSwitch }: AlertsItemInput) {
  const navigate = useNavigate();
  // Loaded when the menu opens. Until then the item is the switch, which works in either case.
  const { data: settings } = useQuery({ ...alertSettingsQuery(useApi()), enabled: isOpen });
  if (settings && device.alerts_enabled && !settings.channels.some(reportsDevices)) {
    return {
      key: 'alerts',
      icon: <BellOutlined />,
      label: deviceAlertsText.setUp,
      onSelect: () => void navigate(withQuery(paths.userInfo, { section: 'alerts' })),
    };
  }
  const isOn = device.alerts_enabled;
  return {
    key: 'alerts',
    icon: isOn ? <CrossedBell /> : <BellOutlined />,
    label: isOn ? deviceAlertsText.turnOff : deviceAlertsText.turnOn,
    onSelect: () => onSwitch(!isOn),
  };
}

function reportsDevices({ enabled, events }: AlertSettings['channels'][number]): boolean {
  return enabled && (events.includes('device_offline') || events.includes('device_online'));
}
