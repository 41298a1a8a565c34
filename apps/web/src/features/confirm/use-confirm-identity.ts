import { use, useCallback } from 'react';
import { useApi } from '../../api/index.ts';
import { ConfirmContext } from './confirm-provider.tsx';

/** Long enough to scan a picture and confirm it on a phone. */
const enoughMs = 3 * 60_000;

/**
 * Asks for the proof before something that takes a while and ends with a call that needs it, where asking last would
 * be too late. Rejects like `useWithConfirmation`.
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
