import type { ReactNode } from 'react';
import styles from './list-table.module.css';

/** Narrower screens show cards instead of a table. */
export const wideScreen = '(min-width: 1000px)';

type ListTableProps = { heads: readonly string[]; className?: string | undefined; children: ReactNode };

/** A table that fills a panel. Its children are the rows. */
export function ListTable({ heads, className = '', children }: ListTableProps) {
  return (
    <table className={`${styles.table} ${className}`}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
