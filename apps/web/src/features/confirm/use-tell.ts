import { useCallback } from 'react';
import { useToast } from '../../ui/use-toast.ts';
import { useTellFailure } from './use-tell-failure.ts';

/**
 * Waits for a change and tells how it went at the top of the console. What asked for the change may have gone by then,
 * and with it whatever a mutation calls back.
 */
export function useTell(): (change: Promise<unknown>, words: string) => void {
  const toast = useToast();
  const tellFailure = useTellFailure();
  return useCallback(
    (change, words) => {
      change.then(() => toast.success(words)).catch(tellFailure);
    },
    [toast, tellFailure],
  );
}
