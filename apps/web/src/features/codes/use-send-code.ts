import type { Reply } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { ApiError, errorText } from '../../api/index.ts';
import { codeText } from '../../text/account.ts';

const secondMs = 1000;

type CodeSent = Reply<'POST /api/verify/sms/send/'>;
type SendCall = (ticket: string | undefined) => Promise<CodeSent>;
type State = { isSending: boolean; waitUntilMs: number; notice?: string; problem?: string };

export type CodeSending = {
  isSending: boolean;
  /** Until another one may be asked for. */
  waitSeconds: number;
  notice: string | undefined;
  problem: string | undefined;
  send: (call: SendCall) => Promise<void>;
};

function retryAfterSecondsOf(error: unknown): number {
  return (error instanceof ApiError && error.failure.type === 'problem' && error.failure.retryAfterSeconds) || 0;
}

/** Sends a code and counts down to the next. */
export function useSendCode(): CodeSending {
  const [state, setState] = useState<State>({ isSending: false, waitUntilMs: 0 });
  const waitSeconds = useSecondsUntil(state.waitUntilMs);

  async function send(call: SendCall): Promise<void> {
    setState({ isSending: true, waitUntilMs: 0 });
    try {
      const sent = await call(undefined);
      const notice = codeText.sentFor(Math.max(1, Math.round(sent.expires_in / 60)));
      setState({ isSending: false, waitUntilMs: Date.now() + sent.retry_after * secondMs, notice });
    } catch (error) {
      const waitUntilMs = Date.now() + retryAfterSecondsOf(error) * secondMs;
      setState({ isSending: false, waitUntilMs, problem: errorText(error) });
    }
  }

  return { isSending: state.isSending, waitSeconds, notice: state.notice, problem: state.problem, send };
}

function useSecondsUntil(untilMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    setNowMs(Date.now());
    if (untilMs <= Date.now()) return undefined;
    const timer = setInterval(() => {
      setNowMs(Date.now());
      if (Date.now() >= untilMs) clearInterval(timer);
    }, secondMs / 4);
    return () => clearInterval(timer);
  }, [untilMs]);
  return Math.max(0, Math.ceil((untilMs - nowMs) / secondMs));
}
