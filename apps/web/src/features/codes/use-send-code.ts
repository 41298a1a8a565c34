import { useMutation } from '@tanstack/react-query';
import type { Reply } from '@tongtu/contract';
import { useRef } from 'react';
import { errorCode, retryAfterSeconds } from '../../api/index.ts';
import { codeText } from '../../text/account.ts';
import { useCountdown } from '../../ui/use-countdown.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';

type CodeSent = Reply<'POST /api/verify/sms/send/'>;
type SendCall = (ticket: { ticket?: string }) => Promise<CodeSent>;

export type CodeSending = {
  isSending: boolean;
  /** Until another one may be asked for. */
  waitSeconds: number;
  notice: string | undefined;
  /** What the last one failed with; null when it did not. */
  error: Error | null;
  /** Sends with what `call` does. True when it was sent; what fails is told as `error`. */
  send: (call: SendCall) => Promise<boolean>;
};

/** Sends a code, with a captcha where the server wants one, and counts down to the next. */
export function useSendCode(countdownKey: string): CodeSending {
  const captcha = useCaptcha('sms');
  const countdown = useCountdown(countdownKey);

  /** A solved captcha that was not used up: what a limit refuses costs none. */
  const kept = useRef<{ ticket?: string }>({});

  async function sendWithCaptcha(call: SendCall): Promise<CodeSent | undefined> {
    const sent = await call(kept.current).catch(async (error: unknown) => {
      if (errorCode(error) !== 'captcha.required') throw error;
      const ticket = await captcha.solve();
      if (ticket === undefined) return undefined;
      kept.current = { ticket };
      return await call(kept.current);
    });
    if (sent) kept.current = {};
    return sent;
  }

  const sending = useMutation({
    mutationFn: sendWithCaptcha,
    onSuccess: (sent) => {
      if (sent) countdown.start(sent.retry_after);
    },
    onError: (error) => countdown.start(retryAfterSeconds(error) ?? 0),
  });
  const sent = sending.data;
  return {
    isSending: sending.isPending,
    waitSeconds: countdown.secondsLeft,
    notice: sent && codeText.sentFor(Math.max(1, Math.round(sent.expires_in / 60))),
    error: sending.error,
    send: (call) =>
      sending.mutateAsync(call).then(
        (reply) => reply !== undefined,
        () => false,
      ),
  };
}
