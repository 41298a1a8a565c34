import type { CloudApp, CloudAppWake } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { wakingText } from '../../../text/cloud-apps/waking.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Mono } from '../../../ui/mono.tsx';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useWakes } from './use-host.ts';
import styles from './waking.module.css';

const MAX_SHOWN = 5;

/** Who woke the host, when and from where; a member sees its own and those of the schedule. */
export function WakeRecords({ app }: { app: CloudApp }) {
  const query = useWakes(app.id);
  return (
    <section className={styles.section}>
      <h2>{wakingText.records}</h2>
      {query.error && query.data === undefined && (
        <LoadFailure title={wakingText.recordsFailed} text={errorText(query.error)} query={query} />
      )}
      {query.data?.length === 0 && <p className={styles.empty}>{wakingText.noRecords}</p>}
      {query.data && query.data.length > 0 && (
        <ul className={styles.list}>
          {query.data.slice(0, MAX_SHOWN).map((wake) => (
            <WakeRow key={wake.id} wake={wake} />
          ))}
        </ul>
      )}
    </section>
  );
}

function WakeRow({ wake }: { wake: CloudAppWake }) {
  return (
    <li className={styles.row}>
      <span>
        <time dateTime={wake.at}>{momentText(wake.at)}</time> <bdi>{whoText(wake)}</bdi>{' '}
        {wake.ip !== null && <Mono>{wake.ip}</Mono>}
      </span>
      <StateTag tone={wake.result === 'sent' ? 'good' : 'bad'}>{wakingText.results[wake.result]}</StateTag>
    </li>
  );
}

function whoText({ account, is_own: isOwn }: CloudAppWake): string {
  if (account === null) return wakingText.bySchedule;
  return isOwn ? wakingText.you : wakingText.byAccount(account);
}
