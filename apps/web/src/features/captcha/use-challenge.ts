import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CaptchaAnswer, CaptchaPurpose } from '@tongtu/contract';
import { useCallback, useEffect, useId } from 'react';
import { errorCode, useApi } from '../../api/index.ts';

export type Answer = CaptchaAnswer['answer'];
type AnswerInput = { key: string; answer: Answer };

/** How long the server lets a challenge count. Counted from its receipt: the clock of this machine may be wrong. */
const lifeMs = 120_000;

/** The challenge that stands, its answer, and another one in its place. */
export function useChallenge(purpose: CaptchaPurpose, onExpired: () => void) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  const id = useId(); // each dialog starts with a challenge of its own
  const query = useQuery({
    queryKey: ['captcha', purpose, id],
    queryFn: ({ signal }) => call('GET /captcha/', { query: { purpose }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    // Each fetch is another challenge: only when somebody wants one.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  const renew = useCallback(
    () => void queryClient.resetQueries({ queryKey: ['captcha', purpose, id], exact: true }),
    [queryClient, purpose, id],
  );

  const judge = useMutation({
    mutationFn: (body: AnswerInput) => call('POST /captcha/', { body }),
    onError: (error) => {
      // Each key has one try, so that a refused answer needs another picture. Without a network this one still counts.
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

  return { challenge, loadError: query.error, renew, judge };
}
