import { useMutation } from '@tanstack/react-query';
import type { Reply } from '@tongtu/contract';
import { useRef, useState } from 'react';
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

/** What the code is sent for; a mutation fits. */
export type CodeAttempt = { error: unknown; reset: () => void };

/** Says for how long a code lives, until it is known that it does not. */
function useNotice({ error }: CodeAttempt) {
  const [sent, setSent] = useState<CodeSent>();
  const [knownError, setKnownError] = useState(error);
  if (error !== knownError) {
    setKnownError(error);
    if (errorCode(error) === 'code.expired') setSent(undefined);
  }
  return { notice: sent && codeText.sentFor(Math.max(1, Math.round(sent.expires_in / 60))), setSent };
}

/** Codes by mail go to the logged-in user and never need a captcha. */
type SendOptions = { by?: 'sms' | 'mail' };

/** Sends a code, after a captcha where the server wants one, and counts down to the next. */
export function useSendCode(countdownKey: string, attempt: CodeAttempt, { by = 'sms' }: SendOptions = {}): CodeSending {
  const captcha = useCaptcha('sms');
  const countdown = useCountdown(countdownKey);
  const { notice, setSent } = useNotice(attempt);

  /** A solved captcha that was not used up: what a limit refuses costs none. */
  const kept = useRef<{ ticket?: string }>({});

  async function sendWithCaptcha(call: SendCall): Promise<CodeSent | undefined> {
    if (by === 'mail') return await call({});
    const sent = await captcha.sendSolved(async (solved) => {
      kept.current = solved;
      return await call(solved);
    }, kept.current.ticket);
    if (sent) kept.current = {};
    return sent;
  }

  const sending = useMutation({
    mutationFn: sendWithCaptcha,
    onMutate: () => {
      // What was wrong with the last code says nothing of the next.
      attempt.reset();
      setSent(undefined);
    },
    onSuccess: (sent) => {
      setSent(sent);
      if (sent) countdown.start(sent.retry_after);
    },
    onError: (error) => countdown.start(retryAfterSeconds(error) ?? 0),
  });
  return {
    isSending: sending.isPending,
    waitSeconds: countdown.secondsLeft,
    notice,
    error: sending.error,
    send: (call) =>
      sending.mutateAsync(call).then(
        (reply) => reply !== undefined,
        () => false,
      ),
  };
}
