import { useEffect, useRef, useState } from 'react';

type Sending = { isPending: boolean; error: unknown };

const idle: Sending = { isPending: false, error: undefined };

/**
 * Sends one thing at a time and keeps its failure: Enter pressed twice sends once. With `staysPending` a success stays
 * pending, because the page is about to change.
 */
export function useSending<Input, Output>(
  send: (input: Input) => Promise<Output>,
  { staysPending = false }: { staysPending?: boolean } = {},
) {
  const [state, setState] = useState(idle);
  // Refs: a second Enter may arrive before the pending state has been rendered, and an answer after the form's removal.
  const isSending = useRef(false);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  /** Resolves with the answer, or with undefined after a failure. */
  async function submit(input: Input): Promise<Output | undefined> {
    if (isSending.current) return undefined;
    isSending.current = true;
    setState({ isPending: true, error: undefined });
    try {
      const output = await send(input);
      if (isMounted.current) setState({ isPending: staysPending, error: undefined });
      return output;
    } catch (error) {
      if (isMounted.current) setState({ isPending: false, error });
      return undefined;
    } finally {
      isSending.current = false;
    }
  }
  /** Forgets the failure. */
  function reset(): void {
    if (!isSending.current) setState(idle);
  }
  return { ...state, submit, reset };
}
