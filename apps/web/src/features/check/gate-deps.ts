import type { SecondFactorNeed } from '@tongtu/contract';
import type { Call } from '../../api/call-types.ts';
import type { SolveCaptcha } from '../captcha/create-captcha.ts';

/** What the visitor wants to open, and the share link's code if they have one. */
export type Visit = { url: string; share: string | undefined };

/** What the gate needs from the page around it: the console, or the small page that is loaded before it. */
export type GateDeps = {
  call: Call;
  /** Ends the session and stays here. Throws ApiError. */
  endSession: () => Promise<void>;
  solve: SolveCaptcha;
  /** Opens another screen. */
  goTo: (path: string, options?: { isReplacing?: boolean }) => void;
  /** Opens the login screen for the second step of a login. */
  goToSecondStep: (need: SecondFactorNeed, path: string) => void;
  /** Opens the login screen for a new password. */
  goToForgotten: (path: string) => void;
  /** The session belongs to another user from now on. */
  forgetUser: () => void;
};
