import { lazy, Suspense, useDeferredValue } from 'react';
import styles from './list.module.css';
import type { RowsProps } from './rows-props.ts';

/** Loaded for many devices only. */
const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows }));

/**
 * Up to so many rows are all in the document, so that the browser's own search finds them. Those outside the window are
 * neither laid out nor painted.
 */
const allDrawnUpTo = 100;
/**
 * How many rows the first render has. React renders the others afterwards in small steps, so that the page stays
 * responsive.
 */
const drawnAtOnce = 30;

export function Rows(props: RowsProps) {
  if (props.rows.length <= allDrawnUpTo) return <AllRows {...props} />;
  return (
    <Suspense fallback={<AllRows {...props} rows={props.rows.slice(0, drawnAtOnce)} />}>
      <VirtualRows {...props} />
    </Suspense>
  );
}

function AllRows({ rows, keyOf, draw, gapPx }: RowsProps) {
  const drawn = useDeferredValue(rows, rows.slice(0, drawnAtOnce));
  return (
    <div className={styles.rows} style={{ gap: gapPx }}>
      {drawn.map((row, index) => (
        <div key={keyOf(row)} data-index={index} className={styles.row}>
          {draw(row)}
        </div>
      ))}
    </div>
  );
}
