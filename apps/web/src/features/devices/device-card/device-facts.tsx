import type { Device } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { devicesText } from '../../../text/devices.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../devices.module.css';
import { Marked } from '../search/marked.tsx';

type Fact = { label: string; value: ReactNode };

function factsOf(device: Device): Fact[] {
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
    { label: devicesText.version, value: device.agent_version },
    { label: devicesText.platform, value: device.platform },
    { label: devicesText.server, value: device.server.name },
  ];
}

type DeviceFactsProps = {
  device: Device;
  /** Shown before the others. */
  first?: Fact;
};

export function DeviceFacts({ device, first }: DeviceFactsProps) {
  return (
    <dl className={styles.facts}>
      {[...(first ? [first] : []), ...factsOf(device)].map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value || devicesText.unknown}</dd>
        </div>
      ))}
    </dl>
  );
}
