import { CheckCircleOutlined, SafetyCertificateOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Mapping } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { mappingText } from '../../../text/mappings.ts';
import { momentText } from '../../../text/time.ts';
import { useToast } from '../../../ui/use-toast.tsx';
import { mappingName } from '../mapping-address.ts';
import styles from '../mapping-row/mapping-row.module.css';
import { useAllowNetwork } from '../use-devices.ts';

/** The way in where no browser can be verified: the owner's own network of now may pass for a while. */
export function AllowNetwork({ mapping }: { mapping: Mapping }) {
  const toast = useToast();
  const allow = useAllowNetwork();
  return (
    <span className={styles.allow} aria-live="polite">
      <Button
        type="link"
        size="small"
        icon={<SafetyCertificateOutlined />}
        loading={allow.isPending}
        onClick={() => allow.mutate(mapping.id, { onError: (error) => toast.error(errorText(error)) })}
        aria-label={`${mappingText.allowNetwork} ${mappingName(mapping)}`}
      >
        {mappingText.allowNetwork}
      </Button>
      {allow.data && (
        <span className={styles.allowed}>
          <CheckCircleOutlined aria-hidden />
          {mappingText.allowedNetwork(allow.data.ip, momentText(allow.data.expires_at))}
        </span>
      )}
      {allow.data?.ip.includes(':') && <span className={styles.ipv6}>{mappingText.onlyIpv6}</span>}
    </span>
  );
}
