import { use, useCallback } from 'react';
import { useApi } from '../../api/index.ts';
import { ConfirmContext } from './confirm-provider.tsx';

/** Enough time to scan a QR code and confirm on a phone. */
const enoughMs = 3 * 60_000;

/**
 * Asks for the proof before a long flow that ends with a protected call, because the flow must not fail at its end.
 * Rejects with a cancelled ApiError when the user closed the dialog.
 */
export function useConfirmIdentity(): () => Promise<void> {
  const { call } = useApi();
  const ask = use(ConfirmContext);
  if (!ask) throw new Error('useConfirmIdentity outside of ConfirmProvider');
  return useCallback(async () => {
    const { confirmed_until: until } = await call('GET /custom/confirm/');
    if (until === null || Date.parse(until) < Date.now() + enoughMs) await ask();
  }, [call, ask]);
}
