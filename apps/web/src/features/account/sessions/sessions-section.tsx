import { Button } from 'antd';
import type { LoginSession } from '@tongtu/contract';
import { sessionsText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';
import { useEndOtherSessions, useEndSession, useSessions } from './use-sessions.ts';

/** This browser first, then the others by last use. */
function inOrder(sessions: LoginSession[]): LoginSession[] {
  return sessions.toSorted(
    (one, other) =>
      Number(other.is_current) - Number(one.is_current) || other.last_seen_at.localeCompare(one.last_seen_at),
  );
}

export function SessionsSection() {
  const sessions = useSessions();
  return (
    <SectionCard name="sessions" title={sessionsText.title} intro={sessionsText.intro}>
      <Loaded query={sessions}>
        {(known) => (
          <>
            {inOrder(known).map((session) => (
              <OneSession key={session.id} session={session} />
            ))}
            {known.length > 1 ? <EndOthers /> : <p className={styles.empty}>{sessionsText.onlyThis}</p>}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function OneSession({ session }: { session: LoginSession }) {
  const device = session.device || sessionsText.unknownDevice;
  return (
    <SettingRow
      title={
        <>
          <bdi>{device}</bdi>
          {session.is_current && <StateTag tone="good">{sessionsText.current}</StateTag>}
        </>
      }
      text={
        <div className={styles.facts}>
          <Mono>{session.ip}</Mono>
          {session.place !== '' && <span>{session.place}</span>}
          <span>
            <RelativeTime {...timeTexts(session.last_seen_at)} />
            {sessionsText.active}
          </span>
          <span>{sessionsText.loggedInAt(momentText(session.created_at))}</span>
        </div>
      }
      {...(session.is_current ? {} : { actions: <EndOne id={session.id} device={device} /> })}
    />
  );
}

function EndOne({ id, device }: { id: number; device: string }) {
  const toastOutcome = useMutationToast();
  const end = useEndSession();
  return (
    <Button
      loading={end.isPending}
      onClick={() => toastOutcome(end.mutateAsync(id), sessionsText.ended(device))}
      aria-label={sessionsText.endLabel(device)}
    >
      {sessionsText.end}
    </Button>
  );
}

function EndOthers() {
  const end = useEndOtherSessions();
  return (
    <div className={styles.foot}>
      <ConfirmedButton
        danger
        question={{
          title: sessionsText.endOthersTitle,
          text: sessionsText.endOthersText,
          confirm: sessionsText.endOthers,
        }}
        run={() => end.mutateAsync()}
        isRunning={end.isPending}
        done={sessionsText.othersEnded}
      />
    </div>
  );
}
