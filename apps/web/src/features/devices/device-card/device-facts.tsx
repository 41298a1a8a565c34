import type { Device } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { devicesText } from '../../../text/devices.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../devices.module.css';

type Fact = { label: string; value: ReactNode };

function factsOf(device: Device): Fact[] {
  return [
    {
      label: devicesText.uid,
      value: (
        <>
          <Mono>{device.uid}</Mono>
          <CopyButton text={device.uid} label={devicesText.uid} />
        </>
      ),
    },
    { label: devicesText.publicIp, value: device.public_ip && <Mono>{device.public_ip}</Mono> },
    { label: devicesText.version, value: device.agent_version },
    { label: devicesText.platform, value: device.platform },
    { label: devicesText.server, value: device.server.name },
  ];
}

export function DeviceFacts({ device }: { device: Device }) {
  return (
    <dl className={styles.facts}>
      {factsOf(device).map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value || devicesText.unknown}</dd>
        </div>
      ))}
    </dl>
  );
}
