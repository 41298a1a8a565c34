import { useState } from 'react';
import { ApiError } from '../../api/client/api-error.ts';
import { passwordFormText } from '../../text/login/password-form.ts';
import type { Captcha } from '../captcha/create-captcha.ts';

type State = { type: 'unasked' } | { type: 'asked' | 'closed' | 'failed' } | { type: 'solved'; ticket: string };
export type LoginCaptchaState = Exclude<State['type'], 'unasked'>;

/** The server refuses a login without a ticket by these codes. A login whose captcha was closed is not sent. */
function unsolved(): ApiError {
  const rest = { detail: passwordFormText.captchaNeeded, fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 403, code: 'captcha.required', ...rest });
}

/** The captcha that a login requires after failures. It opens before the form is sent, or by its button. */
export function useLoginCaptcha(captcha: Captcha) {
  const [state, setState] = useState<State>({ type: 'unasked' });

  /** Shows a failure of the captcha at the button. */
  async function solve(): Promise<void> {
    try {
      const ticket = await captcha.solve();
      setState(ticket === undefined ? { type: 'closed' } : { type: 'solved', ticket });
    } catch {
      setState({ type: 'failed' });
    }
  }

  /**
   * Sends with a ticket if the server requires one. Throws what `send` throws, and ApiError without a solved captcha.
   */
  async function run<Output>(send: (ticket: string | undefined) => Promise<Output>): Promise<Output> {
    let wasAsked = state.type !== 'unasked';
    async function sendWith({ ticket }: { ticket?: string }): Promise<Output> {
      wasAsked ||= ticket !== undefined;
      return await send(ticket);
    }
    const heldTicket = state.type === 'solved' ? state.ticket : undefined;
    const reply = await captcha.sendSolved(sendWith, heldTicket).catch((error: unknown) => {
      // Any reply has used the ticket up.
      if (wasAsked) setState({ type: 'asked' });
      throw error;
    });
    if (reply !== undefined) return reply;
    setState({ type: 'closed' });
    throw unsolved();
  }

  return { state: state.type === 'unasked' ? undefined : state.type, solve, run };
}
