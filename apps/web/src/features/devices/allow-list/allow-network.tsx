import { CheckCircleOutlined, SafetyCertificateOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Mapping } from '@tongtu/contract';
import { mappingText } from '../../../text/devices/mappings.ts';
import { momentText } from '../../../text/moment-text.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { shownName } from '../mapping-address.ts';
import styles from '../mapping-row/mapping-row.module.css';
import { useAllowNetwork, useCurrentNetwork, useRevokeNetwork } from './use-current-network.ts';

/** Verifies the current network's address where browsers cannot be verified, and revokes that. */
export function AllowNetwork({ mapping }: { mapping: Mapping }) {
  const toastFailure = useFailureToast();
  const network = useCurrentNetwork();
  const allow = useAllowNetwork();
  const revoke = useRevokeNetwork();
  const allowed = network.data?.allowed.find((each) => each.mapping === mapping.id);
  const name = shownName(mapping);
  if (allowed === undefined)
    return (
      <span className={styles.allow}>
        <Button
          type="link"
          size="small"
          icon={<SafetyCertificateOutlined />}
          loading={allow.isPending}
          onClick={() => void allow.mutateAsync(mapping.id).catch(toastFailure)}
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
          onClick={() => void revoke.mutateAsync(allowed.verification).catch(toastFailure)}
          aria-label={mappingText.revokeNetworkOf(name)}
        >
          {mappingText.revokeNetwork}
        </Button>
      </span>
      {network.data?.ip.includes(':') && <span className={styles.ipv6}>{mappingText.onlyIpv6}</span>}
    </span>
  );
}
