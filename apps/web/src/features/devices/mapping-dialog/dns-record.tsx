import { mappingFormText } from '../../../text/mapping-form.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from './mapping-dialog.module.css';

type DnsRecordProps = { title: string; type: 'CNAME' | 'TXT'; name: string; value: string; after: string };

/** A record to set at the domain's provider, and what follows from it. */
export function DnsRecord({ title, type, name, value, after }: DnsRecordProps) {
  return (
    <div className={styles.dns}>
      <p>{title}</p>
      <dl className={styles.dnsRecord}>
        <div>
          <dt>{mappingFormText.dnsType}</dt>
          <dd>
            <Mono>{type}</Mono>
          </dd>
        </div>
        <div>
          <dt>{mappingFormText.dnsName}</dt>
          <dd>
            <Mono>{name}</Mono>
            <CopyButton text={name} label={mappingFormText.dnsName} />
          </dd>
        </div>
        <div>
          <dt>{mappingFormText.dnsValue}</dt>
          <dd>
            <Mono>{value}</Mono>
            <CopyButton text={value} label={mappingFormText.dnsValue} />
          </dd>
        </div>
      </dl>
      <p>{after}</p>
    </div>
  );
}
