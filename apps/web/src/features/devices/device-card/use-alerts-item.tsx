import { BellOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import type { AlertSettings, Device } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { alertSettingsQuery, useApi } from '../../../api/index.ts';
import { paths, withQuery } from '../../../paths.ts';
import { deviceAlertsText } from '../../../text/alerts.ts';
import { CrossedBell } from './crossed-bell.tsx';

type AlertsItemInput = { device: Device; isOpen: boolean; onSwitch: (isOn: boolean) => void };

/** The item of a device's menu that switches its alerts; while none would be sent, it leads to where that is set up. */
export function useAlertsItem({ device, isOpen, onSwitch }: AlertsItemInput) {
  const navigate = useNavigate();
  // Asked for when somebody looks; until it is known the switch is offered, which works either way.
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
