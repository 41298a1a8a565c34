import { CloudServerOutlined, GlobalOutlined, HddOutlined } from '@ant-design/icons';
import type { Device } from '@tongtu/contract';
import { devicesText } from '../../text/devices/devices.ts';
import styles from './devices.module.css';

/** The most important numbers. */
export function DeviceSummary({ devices }: { devices: readonly Device[] }) {
  const onlineCount = devices.filter((device) => device.online).length;
  const mappingCount = devices.reduce((count, device) => count + device.mappings.length, 0);
  const { summary, unit } = devicesText;
  const figures = [
    { label: summary.devices, value: devices.length, unit: unit.device, icon: <HddOutlined /> },
    { label: summary.online, value: onlineCount, unit: unit.device, icon: <CloudServerOutlined /> },
    { label: summary.mappings, value: mappingCount, unit: unit.mapping, icon: <GlobalOutlined /> },
  ];
  return (
    <dl className={styles.summary}>
      {figures.map((figure) => (
        <div key={figure.label} className={styles.figure}>
          <span className={styles.figureIcon} aria-hidden>
            {figure.icon}
          </span>
          <dt>{figure.label}</dt>
          <dd>
            {figure.value}
            <small>{figure.unit}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
