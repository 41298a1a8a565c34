import type { Device, DeviceState } from '@tongtu/contract';
import { offlineReasonTexts } from '@tongtu/contract/offline-reasons';
import { deviceStateWord } from '../../../text/devices/device-states.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { frpcShownText } from '../../../text/devices/frpc-shown.ts';
import { timeTexts } from '../../../text/time.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import styles from '../devices.module.css';

const tones: Record<DeviceState, StateTone> = {
  online: 'good',
  offline: 'bad',
  never_connected: 'caution',
  disabled: 'muted',
  plan_expired: 'bad',
};

function reasonOf(device: Device): string {
  if (device.state === 'never_connected') {
    return device.program !== 'agent' ? frpcShownText.neverConnectedHint : devicesText.neverConnectedHint;
  }
  if (device.state === 'plan_expired') return device.plan === null ? devicesText.planMissing : devicesText.planExpired;
  if (device.suspended) return devicesText.suspendedHint;
  if (device.state === 'disabled') return devicesText.deviceDisabled;
  return device.state === 'offline' && device.offline_reason !== null ? offlineReasonTexts[device.offline_reason] : '';
}

function SinceText({ device, since }: { device: Device; since: string }) {
  return (
    <span>
      <RelativeTime {...timeTexts(since)} />
      {device.online ? devicesText.cameOnline : devicesText.wentOffline}
    </span>
  );
}

function LossyLine({ line }: { line: NonNullable<Device['lossy_line']> }) {
  const figures = devicesText.lossyLine(line.loss_percent, line.rtt_ms);
  return (
    <span className={styles.lossyLine} title={devicesText.lossyLineHint}>
      <StateTag tone="caution">{devicesText.lineLosesPackets}</StateTag>
      <span>{figures}</span>
    </span>
  );
}

type DeviceStateLineProps = {
  device: Device;
  /** One line, truncated where there is no room. */
  isShort?: boolean;
};

/** The state, since when, and the reason. */
export function DeviceStateLine({ device, isShort = false }: DeviceStateLineProps) {
  const reason = reasonOf(device);
  const hasSince = device.state === 'online' || device.state === 'offline';
  return (
    <div className={`${styles.stateLine} ${isShort ? styles.shortStateLine : ''}`} aria-live="polite">
      <StateTag tone={tones[device.state]}>
        {device.suspended ? devicesText.suspended : deviceStateWord(device)}
      </StateTag>
      {hasSince && device.state_since !== null && <SinceText device={device} since={device.state_since} />}
      {device.online && device.lossy_line && <LossyLine line={device.lossy_line} />}
      {reason !== '' && <span title={reason}>{reason}</span>}
    </div>
  );
}
