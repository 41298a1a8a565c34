import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RowsProps } from './rows-props.ts';
import styles from './list.module.css';

/**
 * How much is drawn above and below the visible rows, so that Tab and a screen reader find the next one: some lines, or two
 * cards. Drawing more cards makes scrolling jerk.
 */
const overscanPx = 400;
const leastOverscan = 2;

/** The row that has the focus: without it the browser would forget where Tab goes on. */
function focusedRow(): number | undefined {
  const row = document.activeElement?.closest('[aria-posinset][data-index]');
  return row ? Number(row.getAttribute('data-index')) : undefined;
}

function rowsOf(range: Range): number[] {
  const indexes = defaultRangeExtractor(range);
  const focused = focusedRow();
  const isLeftOut = focused !== undefined && focused < range.count && !indexes.includes(focused);
  return isLeftOut ? [...indexes, focused].toSorted((a, b) => a - b) : indexes;
}

/**
 * Draws only the rows near the visible part of the window, and the one that has the focus. Screen readers get each row's
 * place among all.
 */
export function VirtualRows({ rows, keyOf, draw, estimatedPx, gapPx, label }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [startPx, setStartPx] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- the compiler leaves this component as it is, which is right
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedPx,
    gap: gapPx,
    overscan: Math.max(leastOverscan, Math.round(overscanPx / estimatedPx)),
    scrollMargin: startPx,
    getItemKey: useCallback((index: number) => keyOf(rows[index]), [rows, keyOf]),
    rangeExtractor: (range) => rowsOf(range),
  });
  useEffect(() => {
    const measure = () => {
      if (list.current) setStartPx(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    // What is above the list, such as a notice, may appear or change its height at any time.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={list}
      role="list"
      aria-label={label}
      className={styles.virtual}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          role="listitem"
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          data-index={index}
          className={styles.virtualRow}
          style={{ top: start - startPx }}
        >
          {draw(rows[index])}
        </div>
      ))}
    </div>
  );
}
