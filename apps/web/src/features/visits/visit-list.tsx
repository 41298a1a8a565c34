import type { Visit } from '@tongtu/contract';
import { visitsText } from '../../text/visits.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { At, RequestLine, Result, Traffic, Visitor } from './visit-parts.tsx';
import styles from './visits.module.css';

const wideScreen = '(width >= 1000px)';
const columns = Object.entries(visitsText.columns);

/** A table on wide screens, else cards. */
export function VisitRows({ visits }: { visits: readonly Visit[] }) {
  const isWide = useMediaQuery(wideScreen);
  return isWide ? <Table visits={visits} /> : <Cards visits={visits} />;
}

function Table({ visits }: { visits: readonly Visit[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map(([key, word]) => (
            <th key={key} scope="col">
              {word}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
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
