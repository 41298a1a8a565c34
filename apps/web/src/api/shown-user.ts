import type { QueryClient } from '@tanstack/react-query';
import type { Profile } from '@tongtu/contract';
import { isLoggedIn } from './session.ts';

export type ShownUser = {
  /** The user that the console shows, or undefined without one. */
  id: () => number | undefined;
  stop: () => void;
};

/**
 * Remembers the first user whose profile was loaded, until that user logs out or is forgotten. Calls `onChanged` when
 * the profile of another user arrives, because somebody logged in in another tab.
 */
export function watchShownUser(queryClient: QueryClient, onChanged: () => void): ShownUser {
  let shownId: number | undefined;
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== 'profile') return;
    const profile = type === 'removed' ? null : (query.state.data as Profile | null | undefined); // the type of profileQuery
    if (profile === undefined) return;
    if (!isLoggedIn(profile)) shownId = undefined;
    else if (shownId === undefined) shownId = profile.id;
    else if (shownId !== profile.id) onChanged();
  });
  return { id: () => shownId, stop };
}
