import { useState } from 'react';
import { errorCode } from '../../api/index.ts';
import { captchaDialogText } from '../../text/captcha.ts';
import type { CaptchaButtonVariant } from '../../ui/captcha/captcha-button.tsx';
import { useCaptcha } from '../captcha/use-captcha.tsx';

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
  async function solve(): Promise<string | undefined> {
    try {
      const ticket = await captcha.solve();
      setState(ticket === undefined ? { type: 'closed' } : { type: 'solved', ticket });
      return ticket;
    } catch {
      setState({ type: 'failed' });
      return undefined;
    }
  }

  /** Runs `send`, and once more with a new ticket when the server asks for one. Throws what `send` throws. */
  async function run(send: (ticket: string | undefined) => Promise<void>): Promise<void> {
    try {
      await send(state.type === 'solved' ? state.ticket : undefined);
    } catch (error) {
      // Whatever it was, a ticket has been used up by it.
      setState((now) => (now.type === 'unasked' ? now : { type: 'asked' }));
      if (errorCode(error) !== 'captcha.required') throw error;
      const ticket = await solve();
      if (ticket === undefined) throw error;
      await send(ticket).catch((again: unknown) => {
        setState({ type: 'asked' });
        throw again;
      });
    }
  }

  return { look: state.type === 'unasked' ? undefined : looks[state.type], solve, run };
}
