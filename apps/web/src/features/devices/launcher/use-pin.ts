import { useCallback } from 'react';
import { errorText } from '../../../api/index.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { usePinMembership } from '../shared-with-me/use-shared-with-me.ts';
import { useUpdateMapping } from '../use-devices.ts';
import type { Tile } from './tiles.ts';

/** Pins a tile, or unpins it. */
export function usePin(): (tile: Tile) => void {
  const toast = useToast();
  const { mutateAsync: changeMapping } = useUpdateMapping();
  const { mutateAsync: changeMembership } = usePinMembership();
  return useCallback(
    ({ source, isPinned }) => {
      if (source.type === 'app') return;
      const { type, id } = source;
      const pinned = !isPinned;
      const change = type === 'mapping' ? changeMapping({ id, patch: { pinned } }) : changeMembership({ id, pinned });
      change.catch((error: unknown) => {
        toast.error(errorText(error));
      });
    },
    [changeMapping, changeMembership, toast],
  );
}
