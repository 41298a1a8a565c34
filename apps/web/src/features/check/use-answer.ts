import { useEffect, useEffectEvent, useState } from 'react';

type Options = {
  /** Asks again after so long. */
  everyMs?: number;
  /** Whether to ask again when the user returns to this tab. */
  isAskedOnReturn?: boolean;
};

type Answer<Data> = {
  key: string | undefined;
  data?: Data | undefined;
  error?: unknown;
};

/** The answer of a call; each `key` has its own. Without a key nothing is asked. The last answer stays until the next. */
export function useAnswer<Data>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<Data>,
  { everyMs, isAskedOnReturn = false }: Options = {},
) {
  const [answer, setAnswer] = useState<Answer<Data>>({ key: undefined });
  const [round, setRound] = useState(0);
  const [answeredRound, setAnsweredRound] = useState(-1);
  const askNow = useEffectEvent(ask);

  useEffect(() => {
    if (key === undefined) return undefined;
    const ended = new AbortController();
    function settle(next: Answer<Data>) {
      if (ended.signal.aborted) return;
      setAnswer(next);
      setAnsweredRound(round);
    }
    askNow(ended.signal).then(
      (data) => settle({ key, data }),
      (error: unknown) => settle({ key, error }),
    );
    return () => ended.abort();
  }, [key, round]);

  const isOnReturn = key !== undefined && isAskedOnReturn;
  useEffect(() => {
    if (!isOnReturn) return undefined;
    const ended = new AbortController();
    const askAgain = () => {
      if (document.visibilityState === 'visible') setRound((count) => count + 1);
    };
    window.addEventListener('visibilitychange', askAgain, { signal: ended.signal });
    return () => ended.abort();
  }, [isOnReturn]);

  const isPolled = key !== undefined && everyMs !== undefined;
  useEffect(() => {
    if (!isPolled) return undefined;
    const timer = setInterval(() => setRound((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [isPolled, everyMs]);

  const isOfKey = answer.key === key;
  return {
    data: isOfKey ? answer.data : undefined,
    error: isOfKey ? answer.error : undefined,
    isAsking: key !== undefined && (!isOfKey || answeredRound !== round),
    askAgain: () => setRound((count) => count + 1),
    replace: (data: Data) => setAnswer({ key, data }),
  };
}
