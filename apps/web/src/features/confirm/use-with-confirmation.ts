import { use, useCallback } from 'react';
import { errorCode } from '../../api/index.ts';
import { ConfirmContext } from './confirm-provider.tsx';

export type WithConfirmation = <Output>(send: () => Promise<Output>) => Promise<Output>;

/**
 * Runs a call. When the server requires a proof of identity, asks for it in a dialog and runs the call again. Rejects
 * with the call's error, or with a cancelled ApiError when the user closed the dialog: see `isCancelled`. Throws
 * outside of ConfirmProvider.
 */
export function useWithConfirmation(): WithConfirmation {
  const ask = use(ConfirmContext);
  if (!ask) throw new Error('useWithConfirmation outside of ConfirmProvider');
  return useCallback(
    async (send) => {
      try {
        return await send();
      } catch (error) {
        if (errorCode(error) !== 'session.confirm-required') throw error;
        await ask();
        return await send();
      }
    },
    [ask],
  );
}
