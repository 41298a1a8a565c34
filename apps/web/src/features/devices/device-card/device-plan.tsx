import { Alert, Button } from 'antd';
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

/** Says that mappings are closed because the plan allows fewer, and what to do about it. */
export function PlanNotice({ device }: { device: Device }) {
  const count = device.mappings.filter((mapping) => mapping.over_plan_limit).length;
  if (count === 0 || device.state === 'plan_expired') return null; // then all are closed
  return (
    <Alert
      type="warning"
      showIcon
      className={styles.notice ?? ''}
      title={devicesText.overPlanLimit(count, device.mapping_limit)}
      description={
        <>
          {devicesText.overPlanLimitHint} <Link to={plansPath(device.id)}>{devicesText.upgradePlan}</Link>
        </>
      }
    />
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
