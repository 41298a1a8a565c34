type Attempt = { isPending: boolean; reset: () => void };

/**
 * Hides the failure of the last attempt when its form is changed. An attempt that is still being sent may fail yet, and
 * must say so.
 */
export function forgetFailure({ isPending, reset }: Attempt): void {
  if (!isPending) reset();
}
