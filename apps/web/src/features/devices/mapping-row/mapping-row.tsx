import {
  ArrowRightOutlined,
  ClockCircleOutlined,
  GlobalOutlined,
  KeyOutlined,
  LockOutlined,
  StopOutlined,
} from '@ant-design/icons';
import { Tag } from 'antd';
import type { Device, Mapping } from '@tongtu/contract';
import { useLayoutEffect, useRef } from 'react';
import { isOneWebAddress } from '../../../address/one-web-address.ts';
import { shownUrl } from '../../../address/shown-host.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { frpcShownText } from '../../../text/devices/frpc-shown.ts';
import { mappingText } from '../../../text/devices/mappings.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { AllowNetwork } from '../allow-list/allow-network.tsx';
import { CertificateNotice } from '../own-domain/certificate-notice.tsx';
import { DnsNotice, DomainTag } from '../own-domain/dns-notice.tsx';
import { MappingActions, type MappingActionsProps } from './mapping-actions.tsx';
import { isVerifiedByAddress, mappingName, visitorUrl } from '../mapping-address.ts';
import { useSavedMapping } from '../saved-mapping.ts';
import { Marked } from '../search/marked.tsx';
import styles from './mapping-row.module.css';
import { describeOpening, openingState } from '../../../text/devices/opening-times.ts';

type MappingRowProps = MappingActionsProps & { isHighlighted: boolean };

const openingRenewedEveryMs = 20_000;

const policyIcons = {
  owner: <LockOutlined aria-hidden />,
  password: <KeyOutlined aria-hidden />,
  public: <GlobalOutlined aria-hidden />,
  closed: <StopOutlined aria-hidden />,
};

function PolicyTag({ policy }: Pick<Mapping, 'policy'>) {
  return (
    <span className={`${styles.policy} ${policy === 'public' ? styles.public : ''}`}>
      {policyIcons[policy]}
      {mappingText.policy[policy]}
    </span>
  );
}

/** A link if a browser can open the address, else its text. */
function Address({ mapping }: { mapping: Mapping }) {
  const url = visitorUrl(mapping);
  const shown = shownUrl(url);
  return (
    <span className={styles.line}>
      {isOneWebAddress(mapping) ? (
        <a href={mapping.url} target="_blank" rel="noopener noreferrer" className={styles.link}>
          <Mono>
            <Marked text={shown} />
          </Mono>
        </a>
      ) : (
        <span className={styles.port}>
          <Mono>
            <Marked text={shown} />
          </Mono>
        </span>
      )}
      <CopyButton text={url} label={mappingText.address} />
    </span>
  );
}

function Target({ mapping: { target, frpc_proxy: proxy } }: { mapping: Mapping }) {
  if (proxy === null)
    return (
      <Mono>
        <Marked text={target} />
      </Mono>
    );
  return (
    <span title={frpcShownText.managedHint}>
      <Marked text={frpcShownText.managed(proxy)} />
    </span>
  );
}

function stateOf(device: Device, mapping: Mapping, wallClockMs: number): string | undefined {
  if (!mapping.enabled) return mappingText.disabled;
  if (device.state === 'disabled') return mappingText.deviceDisabled;
  if (mapping.over_plan_limit) return mappingText.overPlanLimit;
  const opening = openingState(mapping, wallClockMs);
  if (opening === 'open') return undefined;
  return opening === 'over' ? mappingText.closed : mappingText.notOpenYet;
}

function Badges({ mapping, state }: { mapping: Mapping; state: string | undefined }) {
  const opening = describeOpening(mapping);
  if (mapping.custom_domain === null && opening === undefined && state === undefined) return null;
  return (
    <span className={styles.badges}>
      {state !== undefined && <StateTag tone="muted">{state}</StateTag>}
      {mapping.dns !== null && <DomainTag dns={mapping.dns} />}
      {mapping.tls_passthrough && <Tag icon={<LockOutlined aria-hidden />}>{mappingText.tlsPassthrough}</Tag>}
      {opening !== undefined && (
        <Tag icon={<ClockCircleOutlined aria-hidden />} className={styles.opening ?? ''}>
          {opening}
        </Tag>
      )}
    </span>
  );
}

function Usage({ usage_24h: usage }: Pick<Mapping, 'usage_24h'>) {
  if (usage.requests === 0 && usage.bytes_in + usage.bytes_out === 0) return null;
  const detail = mappingText.usageDetail(bytesText(usage.bytes_in), bytesText(usage.bytes_out));
  return (
    <span className={styles.usage} title={detail}>
      {mappingText.usage(bytesText(usage.bytes_in + usage.bytes_out), countText(usage.requests))}
    </span>
  );
}

export function MappingRow({ device, mapping, isHighlighted, onOpen }: MappingRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const isJustSaved = useSavedMapping().id === mapping.id;
  const state = stateOf(device, mapping, useWallClock(openingRenewedEveryMs));
  // Before it is drawn: a row that moves when it can be seen already may move away under a click.
  useLayoutEffect(() => {
    if (isHighlighted) row.current?.scrollIntoView({ block: 'center' });
  }, [isHighlighted]);
  useLayoutEffect(() => {
    if (isJustSaved) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isJustSaved]);
  const classes = [styles.row, isHighlighted && styles.highlighted, isJustSaved && styles.justSaved];
  if (state !== undefined) classes.push(styles.off);

  return (
    <li
      ref={row}
      className={classes.filter((name) => typeof name === 'string').join(' ')}
      data-mapping={mappingName(mapping)}
    >
      <div className={styles.address}>
        {mapping.remark !== '' && (
          <bdi className={styles.remark} title={mapping.remark}>
            <Marked text={mapping.remark} />
          </bdi>
        )}
        <Address mapping={mapping} />
        <Badges mapping={mapping} state={state} />
        <DnsNotice device={device} mapping={mapping} />
        <CertificateNotice certificate={mapping.certificate} />
        {mapping.policy === 'owner' && isVerifiedByAddress(mapping) && <AllowNetwork mapping={mapping} />}
      </div>
      <div className={styles.target}>
        <ArrowRightOutlined aria-hidden className={styles.arrow ?? ''} />
        <div>
          <Target mapping={mapping} />
          <Usage usage_24h={mapping.usage_24h} />
        </div>
      </div>
      <PolicyTag policy={mapping.policy} />
      <MappingActions device={device} mapping={mapping} onOpen={onOpen} />
    </li>
  );
}
