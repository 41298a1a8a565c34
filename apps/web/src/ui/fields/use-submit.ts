import { useEffect, useRef } from 'react';

type Submission<Input, Output> = {
  send: (input: Input) => Promise<Output>;
  /** Called after success, even if the form has been unmounted. */
  onSuccess?: (output: Output) => void;
  /** Called after success, only while the form is still mounted. */
  onFormDone?: () => void;
  /** Called after failure when the form has been unmounted; a mounted form shows its own error. */
  onUnseenFailure?: (error: unknown) => void;
};

/** Submits a form, one submission at a time: Enter pressed twice submits once. */
export function useSubmit<Input, Output>(submission: Submission<Input, Output>): (input: Input) => Promise<void> {
  const isSending = useRef(false);
  // From the first render on: somebody may submit before effects run.
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  return async function submit(input) {
    // Refs instead of state: a second Enter may arrive before the pending state has been rendered. Validation is
    // asynchronous, so Enter may also arrive after the form has closed.
    if (isSending.current || !isMounted.current) return;
    isSending.current = true;
    try {
      const output = await submission.send(input);
      submission.onSuccess?.(output);
      if (isMounted.current) submission.onFormDone?.();
    } catch (error) {
      if (!isMounted.current) submission.onUnseenFailure?.(error);
    } finally {
      isSending.current = false;
    }
  };
}
