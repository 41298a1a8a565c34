import { useSiteConfig } from '../../../api/index.ts';
import { ownDomainText } from '../../../text/devices/own-domain.ts';
import { DnsRecord } from './dns-record.tsx';
import type { DomainProof } from './domain-proof.ts';
import styles from './own-domain.module.css';
import { recordToSet } from './record-to-set.ts';

type DnsRecordsProps = {
  /** In punycode; `…` for an incomplete name. */
  domain: string;
  suffix: string;
  /** The server's addresses, if they are known. */
  addresses: readonly string[];
  proof?: DomainProof | undefined;
};

/** The records that make a domain lead here, and one more if another user of this installation has the domain. */
export function DnsRecords({ domain, suffix, addresses, proof }: DnsRecordsProps) {
  const isHttps = useSiteConfig()?.console_url.startsWith('https:') ?? false;
  const record = recordToSet(suffix, window.location.hostname);
  const after = [ownDomainText.after, isHttps ? ownDomainText.https : ''].join('');
  return (
    <>
      {proof && <DnsRecord {...proof} type="TXT" title={ownDomainText.proofTitle} after={ownDomainText.proofAfter} />}
      {record ? (
        <DnsRecord
          {...record}
          name={domain}
          title={ownDomainText.title}
          after={record.type === 'CNAME' ? after + ownDomainText.apex(addresses) : after}
        />
      ) : (
        <p className={styles.note}>{ownDomainText.noAddress}</p>
      )}
    </>
  );
}
