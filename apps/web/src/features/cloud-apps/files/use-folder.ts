import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router';

const parameter = 'path';

/** The shown folder, which stands in the page's address. Without one there it is the folder of the app. */
export function useFolder(firstPath: string | undefined) {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const path = query.get(parameter) ?? firstPath;
  /** Opens a folder as a new place in the history. `from`: the entry to stand on there. */
  const go = useCallback(
    (folder: string, { from }: { from?: string } = {}) =>
      setQuery({ [parameter]: folder }, from === undefined ? {} : { state: { from } }),
    [setQuery],
  );
  return { path, go, from: fromOf(state) };
}

/** The address of a folder, for links. */
export function folderSearch(path: string): string {
  return `?${new URLSearchParams({ [parameter]: path }).toString()}`;
}

function fromOf(state: unknown): string | undefined {
  const hasName = typeof state === 'object' && state !== null && 'from' in state;
  return hasName && typeof state.from === 'string' ? state.from : undefined;
}
