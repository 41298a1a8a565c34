import type { ReactNode } from 'react';
import type { ListRow } from '../groups/group-rows.ts';

/** Rows of the list of devices; the same ones for few and for many devices. */
export type RowsProps = {
  rows: readonly ListRow[];
  keyOf: (row: ListRow | undefined) => string;
  draw: (row: ListRow | undefined) => ReactNode;
  estimatedPx: number;
  gapPx: number;
  label: string;
};
