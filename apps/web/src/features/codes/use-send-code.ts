import type { Reply } from '@tongtu/contract';
import { useRef, useState } from 'react';
import { errorCode, retryAfterSeconds } from '../../api/client/api-error.ts';
import { codeText } from '../../text/account/account.ts';
import { useCountdown } from '../../ui/time/use-countdown.ts';
import { useSending } from '../../ui/fields/use-sending.ts';
import type { Captcha } from '../captcha/create-captcha.ts';

type CodeSent = Reply<'POST /api/verify/sms/send/'>;
type SendCall = (ticket: { ticket?: string }) => Promise<CodeSent>;

export type CodeSending = {
  isSending: boolean;
  /** Seconds until another code may be requested. */
  waitSeconds: number;
  notice: string | undefined;
  /** The failure of the last sending, or undefined. */
  error: unknown;
  /** Sends through `call`. Resolves to true when the code was sent; a failure is in `error`. */
  send: (call: SendCall) => Promise<boolean>;
};

/** The attempt that uses the code; a mutation fits. */
export type CodeAttempt = { error: unknown; reset: () => void };

/** Shows how long a code is valid, until the code is known to have expired. */
function useNotice({ error }: CodeAttempt) {
  const [sent, setSent] = useState<CodeSent>();
  const [knownError, setKnownError] = useState(error);
  if (error !== knownError) {
    setKnownError(error);
    if (errorCode(error) === 'code.expired') setSent(undefined);
  }
  return { notice: sent && codeText.sentFor(Math.max(1, Math.round(sent.expires_in / 60))), setSent };
}

/**
 * Sends a code, after a captcha if the server requires one, and counts down to the next. Codes by mail go to the logged-in
 * user and need no captcha.
 */
export function useSendCode(countdownKey: string, attempt: CodeAttempt, captcha: Captcha | undefined): CodeSending {
  const countdown = useCountdown(countdownKey);
  const { notice, setSent } = useNotice(attempt);

  /** An unused ticket: a call that a rate limit refuses uses none. */
  const unusedTicket = useRef<{ ticket?: string }>({});

  async function sendWithCaptcha(call: SendCall): Promise<CodeSent | undefined> {
    if (captcha === undefined) return await call({});
    const sent = await captcha.sendSolved(async (solved) => {
      unusedTicket.current = solved;
      return await call(solved);
    }, unusedTicket.current.ticket);
    if (sent) unusedTicket.current = {};
    return sent;
  }

  const sending = useSending(async (call: SendCall) => {
    // The error of the last code does not apply to the next one.
    attempt.reset();
    setSent(undefined);
    try {
      const sent = await sendWithCaptcha(call);
      setSent(sent);
      if (sent) countdown.start(sent.retry_after);
      return sent;
    } catch (error) {
      countdown.start(retryAfterSeconds(error) ?? 0);
      throw error;
    }
  });
  return {
    isSending: sending.isPending,
    waitSeconds: countdown.secondsLeft,
    notice,
    error: sending.error,
    send: async (call) => (await sending.submit(call)) !== undefined,
  };
}
