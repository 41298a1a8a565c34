import { Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { Link, useNavigate } from 'react-router';
import { plansPath } from '../../../routing/paths.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { dayText } from '../../../text/time.ts';
import styles from '../devices.module.css';

/** The plan of a device and its end, which lead to where it is renewed. */
export function DevicePlan({ device }: { device: Device }) {
  const { plan } = device;
  if (plan === null) return <Link to={plansPath(device.id)}>{devicesText.choosePlan}</Link>;
  return (
    <span className={styles.plan}>
      <Link to={plansPath(device.id)}>{plan.name}</Link>
      <span>{plan.is_expired ? devicesText.planEnded : devicesText.planEnds(dayText(plan.ends_at))}</span>
    </span>
  );
}

/** A button on a device that is closed to visitors for want of a plan. */
export function ChoosePlan({ device }: { device: Device }) {
  const navigate = useNavigate();
  return (
    <Button
      size="small"
      type="primary"
      aria-label={`${devicesText.choosePlan} ${device.name}`}
      onClick={() => void navigate(plansPath(device.id))}
    >
      {devicesText.choosePlan}
    </Button>
  );
}
