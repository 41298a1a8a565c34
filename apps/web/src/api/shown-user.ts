import type { QueryClient } from '@tanstack/react-query';
import type { Profile } from '@tongtu/contract';
import { isLoggedIn } from './session.ts';

export type ShownUser = {
  /** Whose page this is; undefined while it is nobody's. */
  id: () => number | undefined;
  stop: () => void;
};

/**
 * Keeps whose page this is: the first user's of whom it has a profile, until they log out or are forgotten. Tells
 * `onChanged` when a profile of somebody else arrives instead, who has logged in in another tab.
 */
export function watchShownUser(queryClient: QueryClient, onChanged: () => void): ShownUser {
  let shownId: number | undefined;
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== 'profile') return;
    const profile = type === 'removed' ? null : (query.state.data as Profile | null | undefined); // profileQuery's own type
    if (profile === undefined) return;
    if (!isLoggedIn(profile)) shownId = undefined;
    else if (shownId === undefined) shownId = profile.id;
    else if (shownId !== profile.id) onChanged();
  });
  return { id: () => shownId, stop };
}
