import { Tag } from 'antd';
import type { LanHost } from '@tongtu/contract';
import { lanKinds } from '@tongtu/contract/lan-kinds';
import { momentText } from '../../../text/moment-text.ts';
import { lanText } from '../../../text/devices/lan.ts';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { HostIcon } from './host-icon.tsx';
import styles from './lan.module.css';
import { type HostProps, ServiceRow } from './service-row.tsx';
import { hostName } from './shown-hosts.ts';

/** The second digit of a MAC address that a device has made up itself, as phones do. */
const randomMac = /^.[26ae]/;

/** What is known of a host besides its name. */
function factsOf({ kind, vendor, mac, ...host }: LanHost): string[] {
  const maker = vendor === '' && mac !== null && randomMac.test(mac) ? lanText.randomMac : vendor;
  const name = hostName({ kind, vendor, mac, ...host });
  return [kind === null ? '' : lanKinds[kind].name, maker].filter((fact) => fact !== '' && fact !== name);
}

export function HostCard(props: HostProps) {
  const { host } = props;
  const name = hostName(host);
  return (
    <li className={`${styles.host} ${host.is_missing ? styles.missing : ''}`} aria-label={lanText.hostLabel(name)}>
      <div className={styles.hostHead}>
        <span className={styles.icon}>
          <HostIcon kind={host.kind} />
        </span>
        <span className={styles.words}>
          <span className={styles.name} title={name}>
            {name}
          </span>
          <span className={styles.facts}>
            <Mono>{host.address}</Mono>
            {host.mac !== null && <Mono>{host.mac}</Mono>}
            {factsOf(host).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </span>
        </span>
        <span className={styles.marks}>
          {host.is_self && <Tag>{lanText.self}</Tag>}
          {host.is_new && <StateTag tone="good">{lanText.isNew}</StateTag>}
          {host.is_missing && <StateTag tone="muted">{lanText.isMissing}</StateTag>}
        </span>
      </div>
      {host.is_missing && <p className={styles.quiet}>{lanText.lastSeen(momentText(host.last_seen))}</p>}
      {host.services.length === 0 ? (
        <p className={styles.quiet}>{lanText.noServices}</p>
      ) : (
        <ul className={styles.services}>
          {host.services.map((service) => (
            <ServiceRow key={service.id} {...props} service={service} />
          ))}
        </ul>
      )}
    </li>
  );
}
