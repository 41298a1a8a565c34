import { useState } from 'react';
import { captchaDialogText } from '../../text/captcha.ts';
import type { CaptchaButtonVariant } from '../../ui/captcha/captcha-button.tsx';
import { isTicketSpent, useCaptcha } from '../captcha/use-captcha.tsx';

/** Within one wish to log in. */
const mostAsked = 2;

type State = { type: 'unasked' } | { type: 'asked' | 'closed' | 'failed' } | { type: 'solved'; ticket: string };

const looks: Record<'asked' | 'closed' | 'failed' | 'solved', { variant: CaptchaButtonVariant; title?: string }> = {
  asked: { variant: 'default' },
  closed: { variant: 'warn', title: captchaDialogText.unsolved },
  failed: { variant: 'error', title: captchaDialogText.failed },
  solved: { variant: 'success', title: captchaDialogText.solved },
};

/** The captcha that logging in wants after failures: it opens by itself when the server asks, and by its button. */
export function useLoginCaptcha() {
  const captcha = useCaptcha('login');
  const [state, setState] = useState<State>({ type: 'unasked' });

  /** What cannot be shown is told at the button. */
  async function solve({ isAgain = false } = {}): Promise<string | undefined> {
    try {
      const ticket = await (isAgain ? captcha.solveAgain() : captcha.solve());
      setState(ticket === undefined ? { type: 'closed' } : { type: 'solved', ticket });
      return ticket;
    } catch {
      setState({ type: 'failed' });
      return undefined;
    }
  }

  /**
   * Runs `send`, again with a new ticket when the server asks for one, and once more when that came too late. Throws
   * what `send` throws.
   */
  async function run(send: (ticket: string | undefined) => Promise<void>): Promise<void> {
    let ticket = state.type === 'solved' ? state.ticket : undefined;
    for (let askedCount = 0; ; askedCount++) {
      try {
        return await send(ticket);
      } catch (error) {
        // Whatever it was, a ticket has been used up by it.
        setState((now) => (now.type === 'unasked' ? now : { type: 'asked' }));
        if (!isTicketSpent(error) || askedCount === mostAsked) throw error;
        ticket = await solve({ isAgain: ticket !== undefined });
        if (ticket === undefined) throw error;
      }
    }
  }

  return { look: state.type === 'unasked' ? undefined : looks[state.type], solve, run };
}
