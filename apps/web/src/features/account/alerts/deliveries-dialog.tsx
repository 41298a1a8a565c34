import { Button, Skeleton, Tag } from 'antd';
import type { AlertDelivery } from '@tongtu/contract';
import { useId } from 'react';
import { errorText } from '../../../api/index.ts';
import { alertDeliveriesText, alertsText } from '../../../text/account/alerts.ts';
import { sharedText } from '../../../text/shared.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import styles from './alerts.module.css';
import { ClampedText } from './clamped-text.tsx';
import { failureSentence } from './failure-sentence.ts';
import { useDeliveries } from './use-alerts.ts';

const dialogWidthPx = 600;
/** Higher than other dialogs, because it has more content. */
const dialogStyle = { top: 40 };

const tones: Record<AlertDelivery['state'], StateTone> = { waiting: 'caution', sent: 'good', failed: 'bad' };

/** The deliveries with their channel, time and result. */
export function DeliveriesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={alertDeliveriesText.title}
      width={dialogWidthPx}
      style={dialogStyle}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      <p className={styles.hint}>{alertDeliveriesText.hint}</p>
      <Deliveries />
    </Dialog>
  );
}

function Deliveries() {
  const query = useDeliveries();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <>
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {data?.length === 0 && <p className={styles.none}>{alertDeliveriesText.empty}</p>}
      {data && data.length > 0 && (
        <ul className={styles.deliveries}>
          {data.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {error && <LoadFailure title={alertDeliveriesText.failed} text={errorText(error)} query={query} />}
      {hasNextPage && !error && (
        <Button block loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {alertDeliveriesText.more}
        </Button>
      )}
    </>
  );
}

function Delivery({ delivery }: { delivery: AlertDelivery }) {
  const { channel, event, text, created_at: createdAt, state, failure } = delivery;
  const { title } = timeTexts(createdAt);
  const timeId = useId();
  return (
    <li data-state={state}>
      <ClampedText text={text} describedBy={timeId} />
      <div className={styles.deliveryState}>
        <StateTag tone={tones[state]}>{alertDeliveriesText.state[state]}</StateTag>
      </div>
      <div className={styles.deliveryFacts}>
        <time id={timeId} dateTime={createdAt} title={title}>
          {momentText(createdAt)}
        </time>
        <bdi>{channel.name}</bdi>
        <Tag>{event === 'test' ? alertsText.test : alertsText.event[event]}</Tag>
      </div>
      {state !== 'sent' && failure !== null && (
        <div className={styles.deliveryFailure}>
          {failureSentence(channel.kind, failure)}
          {state === 'waiting' && alertDeliveriesText.willRetry}
        </div>
      )}
    </li>
  );
}
