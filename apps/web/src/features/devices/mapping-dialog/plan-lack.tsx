import { Alert } from 'antd';
import type { Device } from '@tongtu/contract';
import { Link } from 'react-router';
import { plansPath } from '../../../routing/paths.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { mappingFormText } from '../../../text/devices/mapping-form.ts';
import styles from './mapping-dialog.module.css';

/** Says before the form is filled in that the device's plan does not allow to save it. */
export function PlanLack({ device, isNew }: { device: Device; isNew: boolean }) {
  const lack = planLack(device, isNew);
  if (lack === undefined) return null;
  const title = lack === 'missing' ? mappingFormText.planMissing : mappingFormText.planFull(device.mapping_limit);
  const remedy = lack === 'missing' ? devicesText.choosePlan : devicesText.upgradePlan;
  const toPlans = <Link to={plansPath(device.id)}>{remedy}</Link>;
  return <Alert type="warning" showIcon title={title} action={toPlans} className={styles.notice ?? ''} />;
}

function planLack({ state, plan, mappings, mapping_limit: limit }: Device, isNew: boolean) {
  if (state === 'plan_expired') return 'missing';
  return isNew && plan !== null && mappings.length >= limit ? 'full' : undefined;
}
