import type { CaptchaPurpose, Reply } from '@tongtu/contract';
import { useState } from 'react';
import { ApiError, errorCode, errorText } from '../../api/index.ts';
import { codeText } from '../../text/account.ts';
import { useCountdown } from '../../ui/use-countdown.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';

/** Nobody looks at a count-down of hours; who tries earlier is told by the server. */
const longestWaitSeconds = 60;

type CodeSent = Reply<'POST /api/verify/sms/send/'>;
type SendCall = (ticket: { ticket?: string }) => Promise<CodeSent>;

export type CodeSending = {
  isSending: boolean;
  /** Until another one may be asked for. */
  waitSeconds: number;
  notice: string | undefined;
  problem: string | undefined;
  /** Sends with what `call` does; what fails is told as `problem`. */
  send: (call: SendCall) => Promise<void>;
};

function retryAfterSecondsOf(error: unknown): number {
  return (error instanceof ApiError && error.failure.type === 'problem' && error.failure.retryAfterSeconds) || 0;
}

/** Sends a code, with a captcha where the server wants one, and counts down to the next. */
export function useSendCode(captchaPurpose: CaptchaPurpose, countdownKey: string): CodeSending {
  const captcha = useCaptcha(captchaPurpose);
  const countdown = useCountdown(countdownKey, longestWaitSeconds);
  const [isSending, setIsSending] = useState(false);
  const [outcome, setOutcome] = useState<{ notice?: string; problem?: string }>({});

  async function sendWithCaptcha(call: SendCall): Promise<CodeSent | undefined> {
    try {
      return await call({});
    } catch (error) {
      if (errorCode(error) !== 'captcha.required') throw error;
      const ticket = await captcha.solve();
      return ticket === undefined ? undefined : await call({ ticket });
    }
  }

  async function send(call: SendCall): Promise<void> {
    setIsSending(true);
    setOutcome({});
    try {
      const sent = await sendWithCaptcha(call);
      if (!sent) return;
      countdown.start(sent.retry_after);
      setOutcome({ notice: codeText.sentFor(Math.max(1, Math.round(sent.expires_in / 60))) });
    } catch (error) {
      countdown.start(retryAfterSecondsOf(error));
      setOutcome({ problem: errorText(error) });
    } finally {
      setIsSending(false);
    }
  }

  return { isSending, waitSeconds: countdown.secondsLeft, notice: outcome.notice, problem: outcome.problem, send };
}
