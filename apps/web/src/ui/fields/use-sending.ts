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
  // A ref: a second Enter may arrive before the pending state has been rendered.
  const current = useRef<object>(undefined);
  useEffect(
    () => () => {
      current.current = undefined;
    },
    [],
  );

  /** Resolves with the answer, or with undefined after a failure. */
  async function submit(input: Input): Promise<Output | undefined> {
    if (current.current !== undefined) return undefined;
    const own = (current.current = {});
    /** Nobody waits for the end after a reset, or after the form's removal. */
    function end(next: Sending): void {
      if (current.current !== own) return;
      if (!next.isPending) current.current = undefined;
      setState(next);
    }
    setState({ isPending: true, error: undefined });
    try {
      const output = await send(input);
      end({ isPending: staysPending, error: undefined });
      return output;
    } catch (error) {
      end({ isPending: false, error });
      return undefined;
    }
  }
  /** Forgets the failure, and what is under way. */
  function reset(): void {
    current.current = undefined;
    setState(idle);
  }
  return { ...state, submit, reset };
}
