import { useCallback } from 'react';
import { errorText } from '../../api/index.ts';
import { useToast } from '../../ui/use-toast.ts';
import { isCancelled } from './is-cancelled.ts';

/** Shows a failure at the top of the console, unless the user cancelled. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  return useCallback(
    (error) => {
      if (!isCancelled(error)) toast.error(errorText(error));
    },
    [toast],
  );
}
