import { Button, Segmented } from 'antd';
import type { CloudAppSession } from '@tongtu/contract';
import { useState } from 'react';
import { bytesText } from '../../../text/amounts.ts';
import { appSessionsText, durationText, endReasonText } from '../../../text/cloud-apps/app-sessions.ts';
import { appPath } from '../../../routing/paths.ts';
import { appKindWords } from '../../../text/cloud-apps/cloud-apps.ts';
import { momentText } from '../../../text/moment-text.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { Pages } from '../../../ui/page/pages.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { Listed } from '../sharing/listed.tsx';
import styles from '../sharing/sharing.module.css';
import { sessionsPageSize, useAppSessions, useEndAppSession } from './use-app-sessions.ts';

const dialogWidthPx = 640;
const dialogStyle = { top: 40 };
const renewedEveryMs = 1_000;

const filters = (['open', 'all'] as const).map((value) => ({ value, label: appSessionsText.filter[value] }));

/** The sessions of the user's apps, and those that the user has opened at others: who, when, from where, how much. */
export function AppSessionsDialog({ onClose }: { onClose: () => void }) {
  const [filter, setFilter] = useState<'open' | 'all'>('all');
  const [page, setPage] = useState(1);
  const query = useAppSessions({ page, isOpenOnly: filter === 'open' });
  const count = query.data?.count ?? 0;
  return (
    <Dialog
      title={appSessionsText.title}
      width={dialogWidthPx}
      style={dialogStyle}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      <p className={styles.hint}>{appSessionsText.hint}</p>
      <Segmented
        aria-label={appSessionsText.filterLabel}
        options={filters}
        value={filter}
        onChange={(chosen) => {
          setFilter(chosen);
          setPage(1);
        }}
      />
      <Listed
        query={{ ...query, data: query.data?.results }}
        failed={appSessionsText.failed}
        empty={appSessionsText.empty[filter]}
        renderItem={(session) => <SessionRow key={session.id} session={session} />}
      />
      <Pages label={appSessionsText.pages} page={page} pageSize={sessionsPageSize} count={count} onChange={setPage} />
    </Dialog>
  );
}

function SessionRow({ session }: { session: CloudAppSession }) {
  const { app_name: name, kind, router_name: device, account, is_own: isOwn, ip, user_agent: userAgent } = session;
  const isOpen = session.ended_at === null;
  return (
    <li className={styles.item} aria-label={name}>
      <div className={styles.itemHead}>
        <span className={styles.itemTitle}>
          <bdi>{name}</bdi>
        </span>
        <span className={styles.actions}>
          <StateTag tone={isOpen ? 'good' : 'muted'}>{stateText(session)}</StateTag>
          {session.can_be_resumed && session.app !== null && <ResumeLink session={session} appId={session.app} />}
          {isOpen && <EndButton session={session} />}
        </span>
      </div>
      <div className={styles.facts}>
        <span>{appKindWords[kind]}</span>
        <bdi>{appSessionsText.onDevice(device)}</bdi>
        <bdi>{isOwn ? appSessionsText.you : appSessionsText.byAccount(account)}</bdi>
        <span title={userAgent}>
          <Mono>{ip}</Mono>
        </span>
      </div>
      <div className={styles.facts}>
        <span>
          <time dateTime={session.started_at}>{momentText(session.started_at)}</time> {appSessionsText.since}
        </span>
        <Duration session={session} />
        <span>{appSessionsText.bytes(bytesText(session.bytes_in), bytesText(session.bytes_out))}</span>
        {session.kept_until !== null && <span>{appSessionsText.keptUntil(momentText(session.kept_until))}</span>}
        {session.end_reason !== null && <span>{endReasonText(session.end_reason)}</span>}
      </div>
    </li>
  );
}

function stateText({ ended_at: endedAt, kept_until: keptUntil }: CloudAppSession): string {
  if (endedAt !== null) return appSessionsText.over;
  return keptUntil === null ? appSessionsText.open : appSessionsText.kept;
}

function ResumeLink({ session: { id, app_name: name }, appId }: { session: CloudAppSession; appId: number }) {
  return (
    <Button
      size="small"
      href={`#${appPath(appId)}?resume=${id}`}
      target="_blank"
      rel="noopener"
      aria-label={appSessionsText.resumeLabel(name)}
    >
      {appSessionsText.resume}
    </Button>
  );
}

function Duration({ session: { started_at: start, ended_at: end } }: { session: CloudAppSession }) {
  const wallClockMs = useWallClock(renewedEveryMs);
  const endMs = end === null ? wallClockMs : Date.parse(end);
  const text = durationText((endMs - Date.parse(start)) / 1000);
  return <span>{end === null ? appSessionsText.lastsFor(text) : appSessionsText.lasted(text)}</span>;
}

function EndButton({ session: { id, app_name: name, account } }: { session: CloudAppSession }) {
  const toastOutcome = useMutationToast();
  const end = useEndAppSession();
  return (
    <Button
      size="small"
      danger
      loading={end.isPending}
      onClick={() => toastOutcome(end.mutateAsync(id), appSessionsText.ended)}
      aria-label={appSessionsText.endLabel(name, account)}
    >
      {appSessionsText.end}
    </Button>
  );
}
