import { useEffect, useRef } from 'react';

type Submission<Input, Output> = {
  send: (input: Input) => Promise<Output>;
  /** Tells that it is done; called although the form has gone meanwhile. */
  onSuccess?: (output: Output) => void;
  /** What to do with the form itself; called only while it is still there. */
  onFormDone?: () => void;
  /** A form that has gone cannot show why it failed; one that is there does so by itself. */
  onUnseenFailure?: (error: unknown) => void;
};

/** Sends a form, one submission at a time: Enter pressed twice is one wish. */
export function useSubmit<Input, Output>(submission: Submission<Input, Output>): (input: Input) => Promise<void> {
  const isSending = useRef(false);
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);

  return async function submit(input) {
    // Refs, because the second Enter may come before the first one has been rendered as pending, and a form checks its
    // fields for a while: one more Enter may get here when the form has already closed.
    if (isSending.current || !isThere.current) return;
    isSending.current = true;
    try {
      const output = await submission.send(input);
      submission.onSuccess?.(output);
      if (isThere.current) submission.onFormDone?.();
    } catch (error) {
      if (!isThere.current) submission.onUnseenFailure?.(error);
    } finally {
      isSending.current = false;
    }
  };
}
