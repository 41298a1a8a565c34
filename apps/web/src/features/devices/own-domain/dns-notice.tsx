import { CheckCircleOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import type { Device, Mapping, MappingDns } from '@tongtu/contract';
import { useId, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { mappingText } from '../../../text/devices/mappings.ts';
import { ownDomainText } from '../../../text/devices/own-domain.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import { shownName } from '../mapping-address.ts';
import { useCheckDomain } from '../use-devices.ts';
import { DnsRecords } from './dns-records.tsx';
import styles from './own-domain.module.css';

/** Green as soon as the domain leads here. */
export function DomainTag({ dns }: { dns: MappingDns }) {
  if (dns.state === 'waiting') return <Tag>{mappingText.customDomain}</Tag>;
  return (
    <Tag color="success" icon={<CheckCircleOutlined aria-hidden />} title={ownDomainText.ready}>
      {mappingText.customDomain}
    </Tag>
  );
}

type DnsNoticeProps = { device: Device; mapping: Mapping };

/** The record that is missing until the domain leads here. The server repeats the check by itself. */
export function DnsNotice({ device, mapping }: DnsNoticeProps) {
  const toast = useToast();
  const check = useCheckDomain();
  const recordsId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { dns, custom_domain: domain } = mapping;
  if (dns?.state !== 'waiting' || domain === null) return null;
  const name = shownName(mapping);

  function checkNow() {
    check.mutate(mapping.id, {
      onSuccess: (checked) => {
        if (checked.dns?.state === 'ready') toast.success(ownDomainText.readyNow(name));
        else toast.warning(ownDomainText.stillWaiting(name));
      },
      onError: (error) => toast.error(errorText(error)),
    });
  }

  return (
    <div className={styles.waiting}>
      <span className={styles.waitingLine}>
        <StateTag tone="caution">{ownDomainText.waiting}</StateTag>
        <span className={styles.found}>{ownDomainText.found(dns.found)}</span>
      </span>
      <span className={styles.buttons}>
        <Button
          type="link"
          size="small"
          aria-expanded={isOpen}
          aria-controls={recordsId}
          aria-label={`${ownDomainText.records} ${name}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {ownDomainText.records}
        </Button>
        <Button
          type="link"
          size="small"
          loading={check.isPending}
          aria-label={`${ownDomainText.checkNow} ${name}`}
          onClick={checkNow}
        >
          {ownDomainText.checkNow}
        </Button>
      </span>
      <div id={recordsId} hidden={!isOpen}>
        {isOpen && <DnsRecords domain={domain} suffix={device.server.suffix} addresses={dns.addresses} />}
      </div>
    </div>
  );
}
