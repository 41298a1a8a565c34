import type { LoginDeps } from '../login/login-deps.ts';

/** What the visitor wants to open, and the share link's code if they have one. */
export type Visit = { url: string; share: string | undefined };

type GoToOptions = {
  isReplacing?: boolean;
  /** What the screen is to start with (paths.ts). */
  state?: unknown;
};

/** What the gate needs from the page around it. */
export type GateDeps = LoginDeps & {
  /** Ends the session and stays here. Throws ApiError. */
  endSession: () => Promise<void>;
  /** Opens another screen. */
  goTo: (path: string, options?: GoToOptions) => void;
  /** The session belongs to another user from now on. */
  forgetUser: () => void;
};
