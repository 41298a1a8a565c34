import { ApiError } from './api-error.ts';

/** Specification §9. */
const defaultTimeoutSeconds = 30;
/** Time for the network, in addition to the wait itself. */
const travelMs = 10_000;

export type PollEvent = { timestamp: number; data: unknown };
export type PollAnswer =
  | { type: 'events'; events: PollEvent[] }
  | { type: 'timeout'; timestamp: number }
  | { type: 'error'; message: string };

type PollOptions = { category: string; sinceTimeMs: number; timeoutSeconds?: number; signal?: AbortSignal };

/** Waits once for events of a golongpoll server. Throws ApiError: `network`, `timeout`, `cancelled`, `unreadable`. */
export async function longPoll(url: string, options: PollOptions): Promise<PollAnswer> {
  const { category, sinceTimeMs, timeoutSeconds = defaultTimeoutSeconds, signal } = options;
  const query = new URLSearchParams({
    timeout: String(timeoutSeconds),
    category,
    since_time: String(sinceTimeMs),
  });
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000 + travelMs);
  try {
    const response = await fetch(`${url}?${query}`, {
      credentials: 'omit',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) throw new ApiError({ type: 'unreadable', status: response.status });
    return readAnswer(await response.json());
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (signal?.aborted) throw new ApiError({ type: 'cancelled' }, { cause: error });
    if (timeout.aborted) throw new ApiError({ type: 'timeout' }, { cause: error });
    throw new ApiError({ type: 'network' }, { cause: error });
  }
}

function readAnswer(answer: unknown): PollAnswer {
  if (typeof answer === 'object' && answer !== null) {
    if ('events' in answer && Array.isArray(answer.events))
      return { type: 'events', events: answer.events.filter(isEvent) };
    if ('timeout' in answer && 'timestamp' in answer && typeof answer.timestamp === 'number')
      return { type: 'timeout', timestamp: answer.timestamp };
    if ('error' in answer) return { type: 'error', message: String(answer.error) };
  }
  throw new ApiError({ type: 'unreadable', status: 200 });
}

function isEvent(event: unknown): event is PollEvent {
  return typeof event === 'object' && event !== null && 'timestamp' in event && typeof event.timestamp === 'number';
}
