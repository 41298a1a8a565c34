import { Button } from 'antd';
import type { DeviceState, ManagedDevice } from '@tongtu/contract';
import { useSiteConfig } from '../../../api/index.ts';
import { deviceStateWord, noPlanWord } from '../../../text/devices/device-states.ts';
import { managedDevicesText } from '../../../text/management/devices.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import styles from '../frame/frame.module.css';
import { useSuspendDevice } from './use-managed-devices.ts';

const tones: Record<DeviceState, StateTone> = {
  online: 'good',
  offline: 'bad',
  never_connected: 'caution',
  disabled: 'muted',
  plan_expired: 'bad',
};

function planText({ plan }: ManagedDevice): string {
  if (plan === null) return noPlanWord;
  const words = plan.is_expired ? managedDevicesText.planEnded : managedDevicesText.planUntil;
  return words(plan.name, momentText(plan.ends_at));
}

export function ManagedDeviceRow({ device }: { device: ManagedDevice }) {
  const { name, user, suspended_at: suspendedAt } = device;
  const hasShop = useSiteConfig()?.billing === 'on';
  const lacksPlan = device.state === 'plan_expired' && device.plan === null;
  return (
    <li className={styles.row} aria-label={name}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {suspendedAt === null ? (
            <StateTag tone={tones[device.state]}>{deviceStateWord(device)}</StateTag>
          ) : (
            <StateTag tone="bad">{managedDevicesText.suspended}</StateTag>
          )}
        </div>
        <div className={styles.facts}>
          <span>{managedDevicesText.owner(user.username)}</span>
          <Mono>{device.uid}</Mono>
          <span>{device.server}</span>
          <span>{managedDevicesText.mappings(device.mapping_count)}</span>
          {device.public_ip !== '' && <Mono>{device.public_ip}</Mono>}
          {device.agent_version !== '' && <span>{managedDevicesText.version(device.agent_version)}</span>}
        </div>
        <div className={styles.facts}>
          {hasShop && !(lacksPlan && suspendedAt === null) && <span>{planText(device)}</span>}
          {suspendedAt !== null && <span>{managedDevicesText.suspendedAt(momentText(suspendedAt))}</span>}
        </div>
      </div>
      <SuspendButton device={device} />
    </li>
  );
}

function SuspendButton({ device }: { device: ManagedDevice }) {
  const { id, name, user } = device;
  const suspend = useSuspendDevice(id);
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  if (device.suspended_at !== null) {
    return (
      <Button
        loading={suspend.isPending}
        aria-label={managedDevicesText.resumeLabel(name)}
        onClick={() => toastOutcome(suspend.mutateAsync(false), managedDevicesText.resumed(name))}
      >
        {managedDevicesText.resume}
      </Button>
    );
  }
  const ask = () =>
    confirm({
      title: managedDevicesText.suspendTitle(name, user.username),
      text: managedDevicesText.suspendText,
      confirm: managedDevicesText.suspend,
      onConfirm: () => toastOutcome(suspend.mutateAsync(true), managedDevicesText.suspendedDone(name)),
    });
  return (
    <Button danger loading={suspend.isPending} aria-label={managedDevicesText.suspendLabel(name)} onClick={ask}>
      {managedDevicesText.suspend}
    </Button>
  );
}
