import { HddOutlined, PushpinFilled } from '@ant-design/icons';
import { memo } from 'react';
import { deviceAlertsText } from '../../../text/account/alerts.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { CrossedBell } from './crossed-bell.tsx';
import { DeviceFacts } from './device-facts.tsx';
import { DeviceTabs, type DeviceTabsProps } from './device-tabs.tsx';
import { DeviceMenu } from './device-menu.tsx';
import { DeviceName } from './device-name.tsx';
import { DeviceStateLine } from './device-state-line.tsx';
import { ChoosePlan, PlanNotice } from './device-plan.tsx';
import { EnableDevice } from './enable-device.tsx';
import styles from '../devices.module.css';
import { RelaysNotice } from './relays-notice.tsx';

export const DeviceCard = memo(function DeviceCard(props: DeviceTabsProps) {
  const { device, onOpen } = props;
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
          {device.state === 'disabled' && !device.suspended && (
            <div className={styles.enable}>
              <EnableDevice device={device} />
            </div>
          )}
          {device.state === 'plan_expired' && (
            <div className={styles.enable}>
              <ChoosePlan device={device} />
            </div>
          )}
        </div>
        <DeviceMenu device={device} onOpen={onOpen} />
      </header>
      <RelaysNotice device={device} />
      <PlanNotice device={device} />
      <DeviceFacts device={device} onOpen={onOpen} />
      <DeviceTabs {...props} />
    </article>
  );
});
