import type { Device } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import type { DeviceDialog } from '../device-dialog.ts';
import styles from '../devices.module.css';
import { DevicePlan } from './device-plan.tsx';
import { AgentVersion } from '../upgrade-agent/agent-version.tsx';
import { Marked } from '../search/marked.tsx';

type Fact = { label: string; value: ReactNode };

function factsOf(device: Device, onOpen: (dialog: DeviceDialog) => void): Fact[] {
  return [
    {
      label: devicesText.uid,
      value: (
        <>
          <Mono>
            <Marked text={device.uid} />
          </Mono>
          <CopyButton text={device.uid} label={devicesText.uid} />
        </>
      ),
    },
    {
      label: devicesText.publicIp,
      value: device.public_ip && (
        <Mono>
          <Marked text={device.public_ip} />
        </Mono>
      ),
    },
    { label: devicesText.version, value: <AgentVersion device={device} onOpen={onOpen} /> },
    { label: devicesText.platform, value: device.platform },
    { label: devicesText.server, value: device.server.name },
  ];
}

type DeviceFactsProps = {
  device: Device;
  onOpen: (dialog: DeviceDialog) => void;
  /** Shown in front of the facts. */
  first?: Fact;
};

export function DeviceFacts({ device, first, onOpen }: DeviceFactsProps) {
  const hasPlans = useSiteConfig()?.billing === 'on';
  const plan: Fact = { label: devicesText.plan, value: <DevicePlan device={device} /> };
  return (
    <dl className={styles.facts}>
      {[...(first ? [first] : []), ...factsOf(device, onOpen), ...(hasPlans ? [plan] : [])].map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value || devicesText.unknown}</dd>
        </div>
      ))}
    </dl>
  );
}
