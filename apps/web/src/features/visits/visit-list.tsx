import type { Visit } from '@tongtu/contract';
import { visitsText } from '../../text/visits.ts';
import { wideScreen, ListTable } from '../../ui/page/list-table.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { At, RequestLine, Result, Traffic, Visitor } from './visit-parts.tsx';
import styles from './visits.module.css';

const heads = Object.values(visitsText.columns);

/** A table on wide screens, else cards. */
export function VisitRows({ visits }: { visits: readonly Visit[] }) {
  const isWide = useMediaQuery(wideScreen);
  return isWide ? <Table visits={visits} /> : <Cards visits={visits} />;
}

function Table({ visits }: { visits: readonly Visit[] }) {
  return (
    <ListTable heads={heads} className={styles.visits}>
      {visits.map((visit) => (
        <tr key={visit.id} data-outcome={visit.outcome}>
          <td className={styles.figure}>
            <At visit={visit} />
          </td>
          <td>
            <Visitor visit={visit} />
          </td>
          <td className={styles.requestCell}>
            <RequestLine visit={visit} />
          </td>
          <td>
            <Result visit={visit} />
          </td>
          <td className={styles.figure}>
            <Traffic visit={visit} />
          </td>
          <td className={styles.figure}>{visitsText.ms(visit.ms)}</td>
        </tr>
      ))}
    </ListTable>
  );
}

function Cards({ visits }: { visits: readonly Visit[] }) {
  return (
    <ul className={styles.cards}>
      {visits.map((visit) => (
        <li key={visit.id} data-outcome={visit.outcome}>
          <div className={styles.cardHead}>
            <RequestLine visit={visit} />
            <Result visit={visit} />
          </div>
          <Visitor visit={visit} />
          <div className={styles.cardFigures}>
            <At visit={visit} />
            <Traffic visit={visit} />
            <span>{visitsText.ms(visit.ms)}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}
