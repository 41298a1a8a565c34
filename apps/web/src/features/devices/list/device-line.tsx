import { PushpinFilled, RightOutlined } from '@ant-design/icons';
import { memo, useId } from 'react';
import { deviceAlertsText } from '../../../text/account/alerts.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { Mono } from '../../../ui/mono.tsx';
import { CrossedBell } from '../device-card/crossed-bell.tsx';
import { DeviceFacts } from '../device-card/device-facts.tsx';
import { DeviceTabs } from '../device-card/device-tabs.tsx';
import { DeviceMenu } from '../device-card/device-menu.tsx';
import { DeviceName } from '../device-card/device-name.tsx';
import { DeviceStateLine } from '../device-card/device-state-line.tsx';
import { ChoosePlan, PlanNotice } from '../device-card/device-plan.tsx';
import { EnableDevice } from '../device-card/enable-device.tsx';
import { RelaysNotice } from '../device-card/relays-notice.tsx';
import type { DeviceDialog } from '../device-dialog.ts';
import cardStyles from '../devices.module.css';
import { Marked } from '../search/marked.tsx';
import type { SelectedDevice } from '../select-devices.ts';
import { UpgradeButton } from '../upgrade-agent/agent-version.tsx';
import styles from './list.module.css';

type DeviceLineProps = Pick<SelectedDevice, 'device' | 'mappings'> & {
  isUnfolded: boolean;
  highlightedDomain: string;
  onFold: (deviceId: number, isUnfolded: boolean) => void;
  onOpen: (dialog: DeviceDialog) => void;
};

/** A device as one line, which expands to the content of its card. */
export const DeviceLine = memo(function DeviceLine(props: DeviceLineProps) {
  const { device, mappings, isUnfolded, highlightedDomain, onFold, onOpen } = props;
  const contentId = useId();
  return (
    <article
      className={`${styles.device} ${isUnfolded ? styles.unfolded : ''}`}
      aria-label={device.name}
      data-device={device.uid}
    >
      <header className={styles.line}>
        <h2 className={styles.name}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isUnfolded}
            aria-controls={isUnfolded ? contentId : undefined}
            onClick={() => onFold(device.id, !isUnfolded)}
          >
            <RightOutlined className={styles.chevron ?? ''} aria-hidden />
            <bdi className={styles.nameText} title={device.name}>
              <Marked text={device.name} />
            </bdi>
          </button>
          {device.pinned && <PushpinFilled className={cardStyles.pinned ?? ''} title={devicesText.pinned} />}
          <UpgradeButton device={device} onOpen={onOpen} isShort />
          {device.state === 'disabled' && !device.suspended && <EnableDevice device={device} />}
          {device.state === 'plan_expired' && <ChoosePlan device={device} />}
          {!device.alerts_enabled && <CrossedBell className={cardStyles.quiet ?? ''} label={deviceAlertsText.isOff} />}
        </h2>
        <DeviceStateLine device={device} isShort />
        <span className={styles.ip}>
          <Mono>
            <Marked text={device.public_ip} />
          </Mono>
        </span>
        <span className={styles.count}>{devicesText.mappingCount(device.mappings.length)}</span>
        <DeviceMenu device={device} onOpen={onOpen} />
      </header>
      {isUnfolded && (
        <div id={contentId} className={styles.content}>
          <RelaysNotice device={device} />
          <PlanNotice device={device} />
          <DeviceTabs device={device} mappings={mappings} highlightedDomain={highlightedDomain} onOpen={onOpen} />
          <DeviceFacts
            device={device}
            first={{ label: devicesText.name, value: <DeviceName device={device} /> }}
            onOpen={onOpen}
          />
        </div>
      )}
    </article>
  );
});
