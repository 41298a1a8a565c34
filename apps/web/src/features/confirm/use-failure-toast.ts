import { useCallback } from 'react';
import { errorText } from '../../api/index.ts';
import { useToast } from '../../ui/use-toast.ts';
import { isCancelled } from './is-cancelled.ts';

/** Tells at the top of the console why something was not done, unless it was the person who stopped it. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  return useCallback(
    (error) => {
      if (!isCancelled(error)) toast.error(errorText(error));
    },
    [toast],
  );
}
