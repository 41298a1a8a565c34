import type { PageGlobals } from './page-globals.ts';

/** An early reply is no older than this when it is used. */
const freshForMs = 30_000;

/**
 * A fetch that answers the first GET of a URL with the call that the page's head has already made. A change makes all
 * early replies stale.
 */
export function createEarlyFetch(
  fetch: typeof globalThis.fetch,
  early: Pick<PageGlobals, 'replies'> | undefined,
  sinceLoadMs: () => number,
): typeof globalThis.fetch {
  const used = new Set<string>();
  return async (input, init) => {
    const isGet = (init?.method ?? 'GET') === 'GET';
    if (!isGet && early) early.replies = {};
    const url = typeof input === 'string' ? input : undefined;
    const reply = isGet && url !== undefined && !used.has(url) ? early?.replies[url] : undefined;
    if (url === undefined || reply === undefined || sinceLoadMs() > freshForMs) return await fetch(input, init);
    used.add(url);
    return await answerOf(reply, init?.signal ?? undefined);
  };
}

/** The signal also ends the wait for a reply that somebody else asked for. */
async function answerOf(reply: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Cloned, because the page that starts the console and the console both read it.
  return (await Promise.race([reply, aborted])).clone();
}
