import { useEffect, useRef, useState } from 'react';

type Sending = { isPending: boolean; error: unknown };

/**
 * Sends one thing at a time and keeps its failure: Enter pressed twice sends once. With `staysPending` a success stays
 * pending, because the page is about to change.
 */
export function useSending<Input>(
  send: (input: Input) => Promise<unknown>,
  { staysPending = false }: { staysPending?: boolean } = {},
) {
  const [state, setState] = useState<Sending>({ isPending: false, error: undefined });
  // Refs: a second Enter may arrive before the pending state has been rendered, and an answer after the form's removal.
  const isSending = useRef(false);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  async function submit(input: Input): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setState({ isPending: true, error: undefined });
    try {
      await send(input);
      if (isMounted.current) setState({ isPending: staysPending, error: undefined });
    } catch (error) {
      if (isMounted.current) setState({ isPending: false, error });
    } finally {
      isSending.current = false;
    }
  }
  return { ...state, submit };
}
