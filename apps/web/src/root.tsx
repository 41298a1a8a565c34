import { useEffect } from 'react';
import { Outlet, useMatches } from 'react-router';
import { documentTitle } from './routing/document-title.ts';

function titleOf(handle: unknown): string | undefined {
  return typeof handle === 'object' && handle !== null && 'title' in handle ? String(handle.title) : undefined;
}

/** The only router view (specification §2). It also sets the window's title. */
export function Root() {
  const title = useMatches()
    .map((match) => titleOf(match.handle))
    .findLast((text) => text !== undefined);
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
  return <Outlet />;
}
