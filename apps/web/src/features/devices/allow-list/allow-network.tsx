import { CheckCircleOutlined, SafetyCertificateOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Mapping } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { mappingText } from '../../../text/devices/mappings.ts';
import { momentText } from '../../../text/moment-text.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { shownName } from '../mapping-address.ts';
import styles from '../mapping-row/mapping-row.module.css';
import { useAllowNetwork, useCurrentNetwork, useRevokeNetwork } from './use-current-network.ts';

/** Verifies the current network's address where browsers cannot be verified, and revokes that. */
export function AllowNetwork({ mapping }: { mapping: Mapping }) {
  const toast = useToast();
  const network = useCurrentNetwork();
  const allow = useAllowNetwork();
  const revoke = useRevokeNetwork();
  const allowed = network.data?.allowed.find((each) => each.mapping === mapping.id);
  const onError = (error: Error) => toast.error(errorText(error));
  const name = shownName(mapping);
  if (allowed === undefined)
    return (
      <span className={styles.allow}>
        <Button
          type="link"
          size="small"
          icon={<SafetyCertificateOutlined />}
          loading={allow.isPending}
          onClick={() => allow.mutate(mapping.id, { onError })}
          aria-label={`${mappingText.allowNetwork} ${name}`}
        >
          {mappingText.allowNetwork}
        </Button>
      </span>
    );
  return (
    <span className={styles.allow}>
      <span className={styles.allowed} role="status" title={network.data?.ip}>
        <CheckCircleOutlined aria-hidden />
        {mappingText.allowedNetwork(momentText(allowed.expires_at))}
      </span>
      <span className={styles.revoke}>
        <span aria-hidden>·</span>
        <Button
          type="link"
          size="small"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(allowed.verification, { onError })}
          aria-label={mappingText.revokeNetworkOf(name)}
        >
          {mappingText.revokeNetwork}
        </Button>
      </span>
      {network.data?.ip.includes(':') && <span className={styles.ipv6}>{mappingText.onlyIpv6}</span>}
    </span>
  );
}
