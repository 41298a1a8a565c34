import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Calls `probe` until it returns a value other than undefined and false, and returns that. An error of the probe counts
 * as "not yet" and becomes the cause of the timeout error.
 */
export async function waitFor<T>(
  what: string,
  timeoutMs: number,
  probe: () => T | Promise<T>,
): Promise<Exclude<T, undefined | false>> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadlineMs) throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause });
    await pause(POLL_MS);
  }
}
