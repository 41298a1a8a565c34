import { Alert, Button, Modal, Skeleton, Tag } from 'antd';
import type { Mapping, VerificationRecord } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { visitorsText } from '../../text/mappings.ts';
import { sharedText } from '../../text/shared.ts';
import { momentText, timeTexts } from '../../text/time.ts';
import { Mono } from '../../ui/mono.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StateTag, type StateTone } from '../../ui/state-tag.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useToast } from '../../ui/use-toast.ts';
import { describeClient } from './describe-client.ts';
import { mappingName } from './mapping-address.ts';
import { useRevokeVisitor, useVisitors } from './use-visitors.ts';
import styles from './visitors-dialog.module.css';

const dialogWidthPx = 600;
const agedEveryMs = 20_000;

type VisitorState = keyof typeof visitorsText.state;
const tones: Record<VisitorState, StateTone> = { valid: 'good', expired: 'muted', revoked: 'muted' };

function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: VerificationRecord, nowMs: number): VisitorState {
  if (revokedAt !== null) return 'revoked';
  return Date.parse(expiresAt) <= nowMs ? 'expired' : 'valid';
}

function Visitor({ record, mappingId }: { record: VerificationRecord; mappingId: number }) {
  const toast = useToast();
  const revoke = useRevokeVisitor(mappingId);
  const state = stateOf(record, useNow(agedEveryMs));

  function onRevoke() {
    revoke.mutate(record.id, {
      onSuccess: () => toast.success(visitorsText.revoked(record.ip)),
      onError: (error) => toast.error(errorText(error)),
    });
  }

  return (
    <li className={styles.visitor} data-state={state}>
      <div className={styles.about}>
        <span className={styles.line}>
          <Mono>{record.ip}</Mono>
          <Tag>{visitorsText.kind[record.kind]}</Tag>
          <span>{describeClient(record.user_agent)}</span>
        </span>
        <span className={styles.times}>
          <span>
            <RelativeTime {...timeTexts(record.created_at)} />
            {visitorsText.verified}
          </span>
          {state === 'valid' && <span>{visitorsText.until(momentText(record.expires_at))}</span>}
        </span>
      </div>
      <StateTag tone={tones[state]}>{visitorsText.state[state]}</StateTag>
      {state === 'valid' && (
        <Button
          size="small"
          danger
          loading={revoke.isPending}
          onClick={onRevoke}
          aria-label={visitorsText.revokeLabel(record.ip)}
        >
          {visitorsText.revoke}
        </Button>
      )}
    </li>
  );
}

function VisitorList({ mapping }: { mapping: Mapping }) {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useVisitors(mapping.id);
  if (error && !data) {
    return (
      <Alert
        type="error"
        showIcon
        title={visitorsText.failed}
        description={errorText(error)}
        action={
          <Button loading={isFetching} onClick={() => void refetch()}>
            {sharedText.retry}
          </Button>
        }
      />
    );
  }
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  const records = data.pages.flatMap((page) => page.results);
  if (records.length === 0) return <p className={styles.empty}>{visitorsText.empty}</p>;
  return (
    <>
      <ul className={styles.list}>
        {records.map((record) => (
          <Visitor key={record.id} record={record} mappingId={mapping.id} />
        ))}
      </ul>
      {hasNextPage && (
        <Button block loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {visitorsText.more}
        </Button>
      )}
    </>
  );
}

/** Who may pass a mapping, and the way to end it. */
export function VisitorsDialog({ mapping, onClose }: { mapping: Mapping; onClose: () => void }) {
  return (
    <Modal
      open
      title={visitorsText.title}
      width={dialogWidthPx}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      <p className={styles.hint}>
        <Mono>{mappingName(mapping)}</Mono>
        <br />
        {visitorsText.hint}
      </p>
      <VisitorList mapping={mapping} />
    </Modal>
  );
}
