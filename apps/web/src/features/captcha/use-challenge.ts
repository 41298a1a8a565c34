import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CaptchaAnswer, CaptchaPurpose } from '@tongtu/contract';
import { useCallback, useEffect, useId, useRef } from 'react';
import { errorCode, useApi } from '../../api/index.ts';

export type Answer = CaptchaAnswer['answer'];
type AnswerInput = { key: string; answer: Answer };

/** The server's lifetime of a challenge, counted from its receipt: this machine's clock may be wrong. */
const lifeMs = 120_000;

type Wanted = { purpose: CaptchaPurpose; firstKey: string | undefined };

/** The current challenge, the answer to it, and a new one on request. */
export function useChallenge({ purpose, firstKey }: Wanted, onExpired: () => void) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  const id = useId(); // each dialog starts with a challenge of its own
  // The server shows a chosen challenge once; later ones are requested by purpose.
  const unusedKey = useRef(firstKey);
  function takeQuery() {
    const key = unusedKey.current;
    unusedKey.current = undefined;
    return key === undefined ? { purpose } : { key };
  }
  const query = useQuery({
    queryKey: ['captcha', purpose, id],
    queryFn: ({ signal }) => call('GET /captcha/', { query: takeQuery(), signal }),
    staleTime: Infinity,
    gcTime: 0,
    // Each fetch returns a new challenge, so nothing may refetch by itself.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  const renew = useCallback(
    () => void queryClient.resetQueries({ queryKey: ['captcha', purpose, id], exact: true }),
    [queryClient, purpose, id],
  );

  const checkAnswer = useMutation({
    mutationFn: (body: AnswerInput) => call('POST /captcha/', { body }),
    onError: (error) => {
      // A challenge has one try, so a refused answer needs another challenge. After a network failure this one is still
      // valid.
      if (errorCode(error) !== undefined) renew();
    },
  });

  const challenge = query.data;
  useEffect(() => {
    if (!challenge) return undefined;
    const timer = setTimeout(() => {
      onExpired();
      renew();
    }, lifeMs);
    return () => clearTimeout(timer);
  }, [challenge, renew, onExpired]);

  return { challenge, loadError: query.error, renew, checkAnswer };
}
