import { useSiteConfig } from '../../../api/index.ts';
import { mappingFormText } from '../../../text/mapping-form.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { isLoopbackHost } from '../public-address.ts';
import styles from './mapping-dialog.module.css';

type DnsRecordProps = {
  /** Undefined while it is being typed. */
  domain: string | undefined;
  suffix: string;
};

/** The line to set at the domain's provider, and what follows from it. */
export function DnsRecord({ domain, suffix }: DnsRecordProps) {
  const isHttps = useSiteConfig()?.console_url.startsWith('https:') ?? false;
  if (isLoopbackHost(suffix)) return <p className={styles.dnsNote}>{mappingFormText.dnsNoSuffix}</p>;
  return (
    <div className={styles.dns}>
      <p>{mappingFormText.dnsTitle}</p>
      <dl className={styles.dnsRecord}>
        <div>
          <dt>{mappingFormText.dnsType}</dt>
          <dd>
            <Mono>CNAME</Mono>
          </dd>
        </div>
        <div>
          <dt>{mappingFormText.dnsName}</dt>
          <dd>
            <Mono>{domain ?? '…'}</Mono>
          </dd>
        </div>
        <div>
          <dt>{mappingFormText.dnsValue}</dt>
          <dd>
            <Mono>{suffix}</Mono>
            <CopyButton text={suffix} label={mappingFormText.dnsValue} />
          </dd>
        </div>
      </dl>
      <p>
        {mappingFormText.dnsAfter}
        {isHttps && mappingFormText.dnsHttps}
      </p>
    </div>
  );
}
