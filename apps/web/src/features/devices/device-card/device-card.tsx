import { HddOutlined, PlusOutlined, PushpinFilled } from '@ant-design/icons';
import { Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { deviceAlertsText } from '../../../text/alerts.ts';
import { devicesText } from '../../../text/devices.ts';
import { CrossedBell } from './crossed-bell.tsx';
import { DeviceFacts } from './device-facts.tsx';
import type { DeviceDialog } from '../device-dialogs.tsx';
import { DeviceMenu } from './device-menu.tsx';
import { DeviceName } from './device-name.tsx';
import { DeviceStateLine } from './device-state-line.tsx';
import { EnableDevice } from './enable-device.tsx';
import styles from '../devices.module.css';
import { mappingName } from '../mapping-address.ts';
import { MappingRow } from '../mapping-row/mapping-row.tsx';
import { RelaysNotice } from './relays-notice.tsx';

type DeviceCardProps = { device: Device; highlightedDomain: string; onOpen: (dialog: DeviceDialog) => void };

export function DeviceCard({ device, highlightedDomain, onOpen }: DeviceCardProps) {
  return (
    <article className={styles.panel} aria-label={device.name} data-device={device.uid}>
      <header className={styles.cardHead}>
        <span className={`${styles.deviceIcon} ${device.online ? styles.deviceIconOnline : ''}`} aria-hidden>
          <HddOutlined />
        </span>
        <div className={styles.cardTitle}>
          <h2>
            <DeviceName device={device} />
            {device.pinned && <PushpinFilled className={styles.pinned ?? ''} title={devicesText.pinned} />}
            {!device.alerts_enabled && <CrossedBell className={styles.quiet ?? ''} label={deviceAlertsText.isOff} />}
          </h2>
          <DeviceStateLine device={device} />
          {device.state === 'disabled' && <EnableDevice device={device} />}
        </div>
        <DeviceMenu device={device} onOpen={onOpen} />
      </header>
      <RelaysNotice device={device} />
      <DeviceFacts device={device} />
      <div className={styles.mappings}>
        <div className={styles.mappingsHead}>
          <h3>
            {devicesText.mappings}
            <small>{device.mappings.length}</small>
          </h3>
          <Button
            size="small"
            type="link"
            icon={<PlusOutlined />}
            onClick={() => onOpen({ type: 'create-mapping', device })}
          >
            {devicesText.addMapping}
          </Button>
        </div>
        {device.mappings.length === 0 && <p className={styles.noMappings}>{devicesText.noMappings}</p>}
        <ul className={styles.mappingList}>
          {device.mappings.map((mapping) => (
            <MappingRow
              key={mapping.id}
              device={device}
              mapping={mapping}
              isHighlighted={mappingName(mapping) === highlightedDomain}
              onOpen={onOpen}
            />
          ))}
        </ul>
      </div>
    </article>
  );
}
