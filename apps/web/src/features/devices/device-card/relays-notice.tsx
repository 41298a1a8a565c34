import { Alert } from 'antd';
import type { Device } from '@tongtu/contract';
import { devicesText } from '../../../text/devices/devices.ts';
import { useLasting } from '../../../ui/time/use-lasting.ts';
import styles from '../devices.module.css';

/** A starting relay lacks the device for some seconds, which is normal. */
const shownAfterMs = 20_000;

/** Says that only some relays have the device, and what to do about it. */
export function RelaysNotice({ device }: { device: Device }) {
  const { connected, running } = device.relays;
  const isShown = useLasting(device.online && connected < running, shownAfterMs);
  if (!isShown) return null;
  return (
    <Alert
      type="warning"
      showIcon
      className={styles.notice ?? ''}
      title={devicesText.someRelays(connected, running)}
      description={devicesText.someRelaysHint}
    />
  );
}
