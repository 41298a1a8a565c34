import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useCallback, useEffect, useRef, useState } from 'react';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type GetOptions = (signal: AbortSignal) => Promise<{ options: unknown }>;

const stopCeremony = () => WebAuthnAbortService.cancelCeremony();

/** A passkey's answer. The wait for it may last for minutes; it can be stopped, and ends with the part that began it. */
export function usePasskeyAnswer() {
  const [isWaiting, setIsWaiting] = useState(false);
  const wait = useRef<AbortController>(undefined);
  const stop = useCallback(() => wait.current?.abort(), []);
  useEffect(() => stop, [stop]);

  /** Throws what `getOptions` throws, or what the browser throws when the person cancels. */
  async function ask(getOptions: GetOptions): Promise<Record<string, unknown>> {
    const { signal } = (wait.current = new AbortController());
    setIsWaiting(true);
    try {
      const { options } = await getOptions(signal);
      signal.throwIfAborted();
      signal.addEventListener('abort', stopCeremony);
      // The contract passes WebAuthn's objects on as they are; the browser checks them.
      return { ...(await startAuthentication({ optionsJSON: options as RequestOptions })) };
    } finally {
      signal.removeEventListener('abort', stopCeremony);
      setIsWaiting(false);
    }
  }
  return { ask, isWaiting, stop };
}
