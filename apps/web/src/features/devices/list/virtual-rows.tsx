import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RowsProps } from './rows.tsx';
import styles from './list.module.css';

/** Rows that are drawn above and below the visible ones, so that Tab and a screen reader find the next one. */
const overscan = 8;

function rowOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest('[data-index]') : null;
  return row === null ? -1 : Number(row.getAttribute('data-index'));
}

/**
 * Draws only the rows near the visible part of the window, and the one that has the focus. Screen readers are told each
 * row's place among all.
 */
export function VirtualRows({ rows, keyOf, draw, estimatedPx, gapPx, label }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [startPx, setStartPx] = useState(0);
  const [focused, setFocused] = useState(-1);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedPx,
    gap: gapPx,
    overscan,
    scrollMargin: startPx,
    getItemKey: useCallback((index: number) => keyOf(rows[index]), [rows, keyOf]),
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      const isLeftOut = focused >= 0 && focused < rows.length && !indexes.includes(focused);
      return isLeftOut ? [...indexes, focused].toSorted((a, b) => a - b) : indexes;
    },
  });
  // What is above the list, such as a notice, may appear or change its height at any time.
  useLayoutEffect(() => {
    if (list.current === null) return;
    const top = Math.round(list.current.getBoundingClientRect().top + window.scrollY);
    if (top !== startPx) setStartPx(top);
  });

  return (
    <div
      ref={list}
      role="list"
      aria-label={label}
      className={styles.virtual}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={(event: FocusEvent) => setFocused(rowOf(event.target))}
      onBlur={() => setFocused(-1)}
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
