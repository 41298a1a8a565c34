import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useRef, useState } from 'react';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type GetOptions = (signal: AbortSignal) => Promise<{ options: unknown }>;

const stopCeremony = () => WebAuthnAbortService.cancelCeremony();

/**
 * Asks for a passkey. The browser may wait for minutes; the wait can be stopped, and ends when the component is
 * unmounted.
 */
export function usePasskeyAnswer() {
  const [isWaiting, setIsWaiting] = useState(false);
  const wait = useRef<AbortController>(undefined);
  const stop = useCallback(() => wait.current?.abort(), []);
  useEffect(() => stop, [stop]);

  /** Throws what `getOptions` throws, or what the browser throws when the user cancels. */
  async function ask(getOptions: GetOptions): Promise<Record<string, unknown>> {
    const { signal } = (wait.current = new AbortController());
    setIsWaiting(true);
    try {
      const { options } = await getOptions(signal);
      signal.throwIfAborted();
      signal.addEventListener('abort', stopCeremony);
      // The contract passes WebAuthn's objects unchanged; the browser checks them.
      return { ...(await startAuthentication({ optionsJSON: options as RequestOptions })) };
    } finally {
      signal.removeEventListener('abort', stopCeremony);
      setIsWaiting(false);
    }
  }
  return { ask, isWaiting, stop };
}
