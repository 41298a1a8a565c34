import { ApiError } from './client/api-error.ts';

/** Specification §9. */
const defaultTimeoutMs = 60_000;

export type ScriptOptions = {
  query?: Record<string, string>;
  /** The name of the query parameter that carries the callback's name. */
  callbackParameter?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
};

/**
 * Loads a script of another host that calls back with its answer (JSONP) and resolves with that answer. Later calls are
 * ignored. Throws ApiError: `network` when the script could not be loaded or did not call, `timeout`, `cancelled`.
 */
export function loadScript(url: string, options: ScriptOptions = {}): Promise<unknown> {
  const { query = {}, callbackParameter = 'callback', timeoutMs = defaultTimeoutMs, signal } = options;
  const callback = `script_${crypto.getRandomValues(new BigUint64Array(1))[0]?.toString(36)}`;
  const globals = window as unknown as Record<string, unknown>; // the script looks up its callback here

  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new ApiError({ type: 'cancelled' }));
      return;
    }
    const element = document.createElement('script');
    const timer = setTimeout(() => fail('timeout'), timeoutMs);

    function settle() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      element.remove();
      // A script that runs late or calls twice still finds a function, which does nothing.
      globals[callback] = () => undefined;
    }
    function fail(type: 'network' | 'timeout' | 'cancelled') {
      settle();
      reject(new ApiError({ type }));
    }
    const cancel = () => fail('cancelled');
    /** The script has run or has failed, so it cannot call any more. */
    function end() {
      fail('network');
      delete globals[callback];
    }

    globals[callback] = (answer: unknown) => {
      settle();
      resolve(answer);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    element.addEventListener('load', end);
    element.addEventListener('error', end);
    element.async = true;
    element.src = `${url}?${new URLSearchParams({ ...query, [callbackParameter]: callback })}`;
    document.head.append(element);
  });
}
