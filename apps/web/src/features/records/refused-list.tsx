import type { RefusedVisit } from '@tongtu/contract';
import { recordsText } from '../../text/records.ts';
import { timeTexts } from '../../text/time.ts';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { wideScreen, ListTable } from '../../ui/page/list-table.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { nameOf } from './describe-record.ts';
import { Address, Visitor } from './record-parts.tsx';
import styles from './records.module.css';

type RefusedListProps = { visits: readonly RefusedVisit[] };

/** A table on wide screens, else cards. */
export function RefusedList({ visits }: RefusedListProps) {
  const isWide = useMediaQuery(wideScreen);
  return isWide ? <Table visits={visits} /> : <Cards visits={visits} />;
}

const words = recordsText.refusedColumns;

function Table({ visits }: RefusedListProps) {
  return (
    <ListTable heads={Object.values(words)}>
      {visits.map((visit) => (
        <tr key={visit.id} data-reason={visit.reason} aria-label={nameOf(visit)}>
          <td>
            <Visitor record={visit} />
          </td>
          <td>
            <Address record={{ ...visit, port: null }} />
          </td>
          <td>{recordsText.reason[visit.reason]}</td>
          <td className={styles.time}>{recordsText.times(visit.count)}</td>
          <td className={styles.time}>
            <RelativeTime {...timeTexts(visit.last_at)} />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

function Cards({ visits }: RefusedListProps) {
  return (
    <ul className={styles.cards}>
      {visits.map((visit) => (
        <li key={visit.id} data-reason={visit.reason} aria-label={nameOf(visit)}>
          <Visitor record={visit} />
          <dl className={styles.facts}>
            <dt>{words.address}</dt>
            <dd>
              <Address record={{ ...visit, port: null }} />
            </dd>
            <dt>{words.reason}</dt>
            <dd>{recordsText.reason[visit.reason]}</dd>
            <dt>{words.count}</dt>
            <dd>{recordsText.times(visit.count)}</dd>
            <dt>{words.last}</dt>
            <dd>
              <RelativeTime {...timeTexts(visit.last_at)} />
            </dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}
