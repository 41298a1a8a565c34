import type { Visit } from '@tongtu/contract';
import { bytesText } from '../../text/amounts.ts';
import { visitsText } from '../../text/visits.ts';
import { timeTexts } from '../../text/time.ts';
import { Mono } from '../../ui/mono.tsx';
import { StateTag, type StateTone } from '../../ui/state-tag.tsx';
import { readablePath } from './readable-path.ts';
import { useWallClock } from '../../ui/time/use-wall-clock.ts';
import styles from './visits.module.css';

/** At midnight the entries of the day before get their day. */
const DAY_CHECKED_EVERY_MS = 60_000;

type VisitProps = { visit: Visit };

/** The day stands only where it is not today: a log is read from its end. */
export function At({ visit }: VisitProps) {
  const { dateTime, title } = timeTexts(visit.at);
  const [day = '', clock = ''] = title.split(' ');
  const now = new Date(useWallClock(DAY_CHECKED_EVERY_MS)).toISOString();
  const isToday = timeTexts(now).title.startsWith(day);
  return (
    <time dateTime={dateTime} title={title}>
      {isToday ? clock : `${day.slice(5)} ${clock}`}
    </time>
  );
}

export function Visitor({ visit }: VisitProps) {
  return (
    <div className={styles.stack}>
      <span className={styles.line}>
        <span>{visitsText.who[visit.who]}</span>
        {visit.who_name !== '' && <bdi>{visit.who_name}</bdi>}
      </span>
      <span className={styles.line}>
        <Mono>{visit.ip}</Mono>
        {visit.place !== '' && <span className={styles.quiet}>{visit.place}</span>}
      </span>
      {visit.browser !== '' && (
        <span className={styles.quiet} title={visit.user_agent}>
          {visit.browser}
        </span>
      )}
    </div>
  );
}

export function RequestLine({ visit }: VisitProps) {
  return (
    <div className={styles.request}>
      <span className={styles.method}>{visit.method}</span>
      {visit.path !== '' && (
        <span className={styles.path} title={visit.path}>
          <bdi>{readablePath(visit.path)}</bdi>
        </span>
      )}
    </div>
  );
}

/** A browser without a proof: its next visit may come in. */
function isSentToLogin({ outcome, status }: Visit): boolean {
  return outcome === 'denied' && status === 302;
}

function toneOf(visit: Visit): StateTone {
  const { outcome, status } = visit;
  if (isSentToLogin(visit)) return 'muted';
  if (outcome === 'denied' || outcome === 'failed') return 'bad';
  if (outcome === 'aborted') return 'muted';
  if (status === null || status < 300) return 'good';
  if (status < 400) return 'muted';
  return status < 500 ? 'caution' : 'bad';
}

function resultWords(visit: Visit): string {
  const { outcome, status } = visit;
  if (isSentToLogin(visit)) return visitsText.sentToLogin;
  if (status === null) return visitsText.outcome[outcome];
  return outcome === 'served' ? String(status) : `${visitsText.outcome[outcome]} ${status}`;
}

export function Result({ visit }: VisitProps) {
  const { reason } = visit;
  return (
    <div className={styles.stack}>
      <StateTag tone={toneOf(visit)}>{resultWords(visit)}</StateTag>
      {reason !== '' && <span className={styles.quiet}>{visitsText.reason(reason)}</span>}
    </div>
  );
}

export function Traffic({ visit }: VisitProps) {
  const [bytesIn, bytesOut] = [bytesText(visit.bytes_in), bytesText(visit.bytes_out)];
  return <span title={visitsText.trafficTitle(bytesIn, bytesOut)}>{visitsText.traffic(bytesIn, bytesOut)}</span>;
}
