import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons';
import { Checkbox } from 'antd';
import { type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import { filesText } from '../../../../text/cloud-apps/files.ts';
import { useMediaQuery } from '../../../../ui/use-media-query.ts';
import styles from './entries.module.css';
import type { EntryActions } from './entry-actions.ts';
import { EntryRow } from './entry-row.tsx';
import { pressKey } from './grid-keys.ts';
import { isUsable, type SortColumn, type Sorting } from './shown-entries.ts';
import type { useEntries } from './use-entries.ts';
import { useVisibleRows } from './use-visible-rows.ts';

const rowHeights = { wide: 40, narrow: 56 };
const headHeight = 36;

type EntryGridProps = {
  entries: ReturnType<typeof useEntries>;
  actions: EntryActions;
  isLoading: boolean;
  /** In place of rows. */
  children: ReactNode;
};

/**
 * The entries of a folder: the grid pattern of the ARIA Authoring Practices Guide. Only the rows in sight are in the
 * document, so that a folder of many thousands scrolls as fast as a small one.
 */
export function EntryGrid({ entries, actions, isLoading, children }: EntryGridProps) {
  const { shown, selection, select, sorting, sortBy } = entries;
  const isNarrow = useMediaQuery('(max-width: 575.98px)');
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const { scroller, first, last, reveal } = useVisibleRows({ count: shown.length, rowHeight, headHeight });
  const gridId = useId();
  const rowId = (index: number) => `${gridId}row${index}`;
  const currentIndex = shown.findIndex(({ name }) => name === selection.current);
  const isCurrentDrawn = currentIndex >= first && currentIndex < last;
  const usable = shown.filter(isUsable);
  const areAllSelected = usable.length > 0 && selection.selected.size === usable.length;

  // The folder from which one comes back may be far down.
  const showCurrent = useEffectEvent(() => reveal(Math.max(currentIndex, 0)));
  useEffect(() => {
    if (!isLoading) showCurrent();
  }, [isLoading]);

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      className={styles.grid}
      aria-label={filesText.entries}
      aria-busy={isLoading}
      aria-multiselectable
      aria-rowcount={shown.length + 1}
      aria-activedescendant={isCurrentDrawn ? rowId(currentIndex) : undefined}
      onKeyDown={(event) => {
        // Buttons and menus inside have keys of their own.
        if (event.target !== event.currentTarget) return;
        const pageRows = Math.max(1, Math.floor((event.currentTarget.clientHeight - headHeight) / rowHeight) - 1);
        pressKey(event, { shown, selection, select, actions, pageRows, onCurrent: reveal });
      }}
    >
      <div role="rowgroup" className={styles.head} style={{ height: headHeight }}>
        <div role="row" aria-rowindex={1} className={styles.row}>
          <span role="columnheader" className={styles.check}>
            <Checkbox
              aria-label={filesText.selectAll}
              checked={areAllSelected}
              indeterminate={selection.selected.size > 0 && !areAllSelected}
              disabled={usable.length === 0}
              onChange={() => select({ type: areAllSelected ? 'none' : 'all' })}
            />
          </span>
          <Head column="name" sorting={sorting} onSort={sortBy} className={styles.name} />
          <Head column="size" sorting={sorting} onSort={sortBy} className={styles.size} />
          <Head column="modified" sorting={sorting} onSort={sortBy} className={styles.modified} />
          <span role="columnheader" className={styles.menu}>
            <span className={styles.unseen}>{filesText.actions}</span>
          </span>
        </div>
      </div>
      {shown.length === 0 ? (
        <div role="rowgroup" className={styles.instead}>
          <div role="row" aria-rowindex={2}>
            <div role="gridcell">{children}</div>
          </div>
        </div>
      ) : (
        <div role="rowgroup" className={styles.body} style={{ height: shown.length * rowHeight }}>
          {shown.slice(first, last).map((entry, offset) => (
            <EntryRow
              key={entry.name}
              id={rowId(first + offset)}
              rowIndex={first + offset + 2}
              top={(first + offset) * rowHeight}
              height={rowHeight}
              entry={entry}
              isSelected={selection.selected.has(entry.name)}
              isCurrent={entry.name === selection.current}
              select={select}
              actions={actions}
            />
          ))}
        </div>
      )}
    </div>
  );
}

type HeadProps = {
  column: SortColumn;
  sorting: Sorting;
  onSort: (column: SortColumn) => void;
  className: string | undefined;
};

function Head({ column, sorting, onSort, className }: HeadProps) {
  const isSorted = sorting.column === column;
  const direction = sorting.isDescending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" aria-sort={isSorted ? direction : 'none'} className={className}>
      <button type="button" className={styles.sort} onClick={() => onSort(column)}>
        {filesText.columns[column]}
        {isSorted && (sorting.isDescending ? <CaretDownOutlined aria-hidden /> : <CaretUpOutlined aria-hidden />)}
      </button>
    </span>
  );
}
