import { useEffect, useEffectEvent, useState } from 'react';

type Options = {
  /** Asks again after so long. */
  everyMs?: number;
  /** Whether to ask again when the user returns to this tab or window. */
  isAskedOnReturn?: boolean;
};

type Answer<Data> = {
  key: string | undefined;
  data?: Data | undefined;
  error?: unknown;
};

/** A question that the user has not asked fails without a word: what is shown may hold what was typed. */
type Round = { count: number; isQuiet: boolean };

/** The answer of a call; each `key` has its own. Without a key nothing is asked. The last answer stays until the next. */
export function useAnswer<Data>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<Data>,
  { everyMs, isAskedOnReturn = false }: Options = {},
) {
  const [answer, setAnswer] = useState<Answer<Data>>({ key: undefined });
  const [round, setRound] = useState<Round>({ count: 0, isQuiet: false });
  const [answeredRound, setAnsweredRound] = useState<Round>();
  const askNow = useEffectEvent(ask);
  const askAgain = () => setRound(({ count }) => ({ count: count + 1, isQuiet: false }));
  const askQuietly = () => setRound(({ count }) => ({ count: count + 1, isQuiet: true }));

  useEffect(() => {
    if (key === undefined) return undefined;
    const ended = new AbortController();
    function settle(next: Answer<Data>) {
      if (ended.signal.aborted) return;
      const isKept = (last: Answer<Data>) => round.isQuiet && 'error' in next && last.key === key && 'data' in last;
      setAnswer((last) => (isKept(last) ? last : next));
      setAnsweredRound(round);
    }
    askNow(ended.signal).then(
      (data) => settle({ key, data }),
      (error: unknown) => settle({ key, error }),
    );
    return () => ended.abort();
  }, [key, round]);

  const isOfKey = answer.key === key;
  const isAsking = key !== undefined && (!isOfKey || answeredRound !== round);

  const isOnReturn = key !== undefined && isAskedOnReturn;
  const onReturn = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && !isAsking) askQuietly();
  });
  useEffect(() => {
    if (!isOnReturn) return undefined;
    const ended = new AbortController();
    // A window beside another one stays visible. A tab that becomes visible has both events and asks once.
    for (const event of ['visibilitychange', 'focus'])
      window.addEventListener(event, () => onReturn(), { signal: ended.signal });
    return () => ended.abort();
  }, [isOnReturn]);

  const isPolled = key !== undefined && everyMs !== undefined;
  useEffect(() => {
    if (!isPolled) return undefined;
    const timer = setInterval(askQuietly, everyMs);
    return () => clearInterval(timer);
  }, [isPolled, everyMs]);

  return {
    data: isOfKey ? answer.data : undefined,
    error: isOfKey ? answer.error : undefined,
    isAsking,
    askAgain,
    askQuietly,
    replace: (data: Data) => setAnswer({ key, data }),
  };
}
