import { Tag } from 'antd';
import type { VerificationRecord } from '@tongtu/contract';
import { recordsText } from '../../text/records.ts';
import { momentText } from '../../text/moment-text.ts';
import { timeTexts } from '../../text/time.ts';
import { Mono } from '../../ui/mono.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import { addressOf, deviceNameOf, stateTones } from './describe-record.ts';
import type { RecordState } from './record-filters.ts';
import styles from './records.module.css';

type RecordPartProps = { record: VerificationRecord };
type VisitorProps = { record: Pick<VerificationRecord, 'who' | 'ip' | 'place' | 'browser' | 'user_agent'> };
type AddressProps = {
  record: Pick<VerificationRecord, 'host' | 'port' | 'mapping_deleted' | 'router_name' | 'router_deleted'>;
};

export function Visitor({ record }: VisitorProps) {
  return (
    <div className={styles.visitor}>
      {record.who !== '' && (
        <strong>
          <bdi>{record.who}</bdi>
        </strong>
      )}
      <span className={styles.line}>
        <Mono>{record.ip}</Mono>
        {record.place !== '' && <span className={styles.quiet}>{record.place}</span>}
      </span>
      {record.browser !== '' && (
        <span className={styles.quiet} title={record.user_agent}>
          {record.browser}
        </span>
      )}
    </div>
  );
}

export function Address({ record }: AddressProps) {
  return (
    <div className={styles.visitor}>
      <span className={styles.line}>
        <Mono>{addressOf(record)}</Mono>
        {record.mapping_deleted && <Tag className={styles.tag ?? ''}>{recordsText.addressDeleted}</Tag>}
      </span>
      <bdi className={styles.quiet}>{deviceNameOf(record)}</bdi>
    </div>
  );
}

export function Ground({ record }: RecordPartProps) {
  return (
    <span className={styles.line}>
      <span>{recordsText.ground[record.granted_by]}</span>
      {record.kind === 'ip' && <Tag className={styles.tag ?? ''}>{recordsText.byAddress}</Tag>}
    </span>
  );
}

export function Since({ record }: RecordPartProps) {
  return <RelativeTime {...timeTexts(record.created_at)} />;
}

export function Until({ record }: RecordPartProps) {
  if (record.revoked_at !== null) {
    return <span className={styles.quiet}>{recordsText.revokedAt(momentText(record.revoked_at))}</span>;
  }
  return <time dateTime={record.expires_at}>{momentText(record.expires_at)}</time>;
}

export function State({ state }: { state: RecordState }) {
  return <StateTag tone={stateTones[state]}>{recordsText.state[state]}</StateTag>;
}
