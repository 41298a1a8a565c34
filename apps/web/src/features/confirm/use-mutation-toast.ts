import { useCallback } from 'react';
import { useToast } from '../../ui/use-toast.ts';
import { useFailureToast } from './use-failure-toast.ts';

/**
 * Waits for a change and tells how it went at the top of the console. What asked for the change may have gone by then,
 * and with it whatever a mutation calls back.
 */
export function useMutationToast(): (change: Promise<unknown>, words: string) => void {
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useCallback(
    (change, words) => {
      change.then(() => toast.success(words)).catch(toastFailure);
    },
    [toast, toastFailure],
  );
}
