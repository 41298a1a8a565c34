import type { LoginReply, SiteConfig } from '@tongtu/contract';
import type { Call } from '../../api/client/call-types.ts';
import type { SolveCaptcha } from '../captcha/create-captcha.ts';
import type { SignInMethod } from './sign-in-methods.ts';

/** What the login needs from the page around it. */
export type LoginDeps = { call: Call; solve: SolveCaptcha };

/** The props of every sign-in method. */
export type SignInMethodProps = {
  deps: LoginDeps;
  /** Undefined when it could not be loaded. */
  site: SiteConfig | undefined;
  /** The inviter's code from the address. */
  aff: string | undefined;
  /** Completes the login, or starts its second step. */
  onReply: (method: SignInMethod, reply: LoginReply) => void;
};
