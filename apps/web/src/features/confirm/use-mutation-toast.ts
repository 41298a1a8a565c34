import { useCallback } from 'react';
import { useToast } from '../../ui/use-toast.ts';
import { useFailureToast } from './use-failure-toast.ts';

/**
 * Waits for a mutation and shows its outcome at the top of the console. It works even when the component is unmounted
 * meanwhile; a mutation's own callbacks do not.
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
