import { Alert, Button, Progress, Skeleton } from 'antd';
import type { ClientWindow, Mapping } from '@tongtu/contract';
import { Link } from 'react-router';
import { errorText } from '../../../api/index.ts';
import { paths, withQuery } from '../../../routing/paths.ts';
import { shownUrl } from '../../../address/shown-host.ts';
import { sharedText } from '../../../text/shared.ts';
import { clientWindowText } from '../../../text/devices/sharing.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { useFocusFallback } from '../../../ui/use-focus-fallback.ts';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { mappingText } from '../../../text/devices/mappings.ts';
import { visitorUrl } from '../mapping-address.ts';
import styles from './sharing.module.css';
import { useClientWindow, useCloseClientWindow, useOpenClientWindow } from './use-sharing.ts';

/** The length of a client window at the server. */
const windowMs = 120_000;
const tickMs = 500;

function CountDown({ openUntil }: { openUntil: string }) {
  // The browser's clock may be wrong, so the remaining time is limited to the possible range.
  const leftMs = Math.min(windowMs, Math.max(0, Date.parse(openUntil) - useWallClock(tickMs)));
  const seconds = Math.ceil(leftMs / 1000);
  const text = clientWindowText.timeLeft(Math.floor(seconds / 60), seconds % 60);
  return (
    <Progress
      type="circle"
      size={112}
      percent={(leftMs / windowMs) * 100}
      format={() => text}
      aria-label={clientWindowText.timeLeftLabel}
      className={styles.countDown ?? ''}
    />
  );
}

type StateProps = { state: ClientWindow; mapping: Mapping };

function State({ state, mapping }: StateProps) {
  switch (state.state) {
    case 'none':
      return null;
    case 'open':
      return (
        <div className={styles.waiting}>
          <strong>{clientWindowText.openTitle}</strong>
          <span className={styles.address}>
            <Mono>{shownUrl(visitorUrl(mapping))}</Mono>
            <CopyButton text={visitorUrl(mapping)} label={mappingText.address} />
          </span>
          <span className={styles.quiet}>{clientWindowText.openHint}</span>
        </div>
      );
    case 'claimed':
      return (
        <Alert
          role="none"
          type="success"
          showIcon
          title={clientWindowText.claimedTitle(state.ip)}
          description={
            <>
              {state.expires_at !== null && clientWindowText.claimedHint(momentText(state.expires_at))}{' '}
              <Link to={withQuery(paths.records, { mapping: String(mapping.id) })}>{clientWindowText.toRecords}</Link>
            </>
          }
        />
      );
    case 'expired':
      return (
        <Alert
          role="none"
          type="warning"
          showIcon
          title={clientWindowText.expiredTitle}
          description={clientWindowText.expiredHint}
        />
      );
  }
}

const startWords = {
  none: clientWindowText.start,
  expired: clientWindowText.startAgain,
  claimed: clientWindowText.another,
} as const;

/** 放行程序: within two minutes, the first client that would be refused is let in by its address. */
export function ClientWindowDialog({ mapping, onClose }: { mapping: Mapping; onClose: () => void }) {
  const query = useClientWindow(mapping.id);
  const { data: state, error } = query;
  const open = useOpenClientWindow(mapping.id);
  const close = useCloseClientWindow(mapping.id);
  // The button that opens the window disappears when the window is open.
  const focusFallback = useFocusFallback();
  const failure = open.error ?? close.error;
  const isNoneLeft = state?.left_today === 0;
  return (
    <Dialog
      title={clientWindowText.title}
      onClose={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {sharedText.close}
        </Button>,
        state?.state === 'open' && (
          <Button key="cancel" danger loading={close.isPending} onClick={() => close.mutate()}>
            {clientWindowText.cancel}
          </Button>
        ),
        state && state.state !== 'open' && (
          <Button
            key="start"
            type="primary"
            disabled={isNoneLeft}
            loading={open.isPending}
            onClick={() => open.mutate()}
          >
            {startWords[state.state]}
          </Button>
        ),
      ]}
    >
      <div className={styles.window} {...focusFallback}>
        {state?.state !== 'open' && (
          <p className={styles.hint}>
            {clientWindowText.what}
            <br />
            {clientWindowText.care}
          </p>
        )}
        {/* Outside of the live region, so that screen readers do not read it every second. */}
        {state?.state === 'open' && state.open_until !== null && <CountDown openUntil={state.open_until} />}
        <div role="status" className={styles.state}>
          {state && <State state={state} mapping={mapping} />}
          {state && state.state !== 'open' && (
            <span className={styles.quiet}>
              {isNoneLeft ? clientWindowText.noneLeft : clientWindowText.leftToday(state.left_today)}
            </span>
          )}
        </div>
        {!state && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
        {!state && error && <LoadFailure title={clientWindowText.failed} text={errorText(error)} query={query} />}
        {failure && <Alert type="error" showIcon title={errorText(failure)} />}
      </div>
    </Dialog>
  );
}
