import { Alert } from 'antd';
import { isLoopbackHost } from '../../address/public-address.ts';
import { addDeviceText } from '../../text/devices/devices.ts';
import styles from './enrolment-keys.module.css';

/** Other devices do not reach a console on loopback. */
export function LoopbackWarning({ origin }: { origin: string }) {
  if (!isLoopbackHost(new URL(origin).hostname)) return null;
  return <Alert type="warning" showIcon title={addDeviceText.loopback} className={styles.loopback ?? ''} />;
}
