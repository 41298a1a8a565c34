import { ownDomainText } from '../../../text/devices/own-domain.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from './own-domain.module.css';
import type { RecordToSet } from './record-to-set.ts';

type DnsRecordProps = { title: string; type: RecordToSet['type'] | 'TXT'; name: string; value: string; after: string };

/** A record to set at the domain's provider, with an explanation. */
export function DnsRecord({ title, type, name, value, after }: DnsRecordProps) {
  return (
    <div className={styles.dns}>
      <p>{title}</p>
      <dl className={styles.dnsRecord}>
        <div>
          <dt>{ownDomainText.type}</dt>
          <dd>
            <Mono>{type}</Mono>
          </dd>
        </div>
        <div>
          <dt>{ownDomainText.name}</dt>
          <dd>
            <Mono>{name}</Mono>
            <CopyButton text={name} label={ownDomainText.name} />
          </dd>
        </div>
        <div>
          <dt>{ownDomainText.value}</dt>
          <dd>
            <Mono>{value}</Mono>
            <CopyButton text={value} label={ownDomainText.value} />
          </dd>
        </div>
      </dl>
      <p>{after}</p>
    </div>
  );
}
