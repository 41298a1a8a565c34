import { useState } from 'react';
import { pageSize } from './managed-list.tsx';

/** Filters and page of a list. Another filter starts at its first page. */
export function useListState<Filters extends object>(initial: Filters) {
  const [state, setState] = useState({ filters: initial, page: 1 });
  return {
    ...state,
    range: { limit: pageSize, offset: (state.page - 1) * pageSize },
    setFilters: (changes: Partial<Filters>) =>
      setState(({ filters }) => ({ filters: { ...filters, ...changes }, page: 1 })),
    setPage: (page: number) => setState(({ filters }) => ({ filters, page })),
  };
}
