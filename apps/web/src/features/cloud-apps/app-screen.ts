import type { CloudAppOpened } from '@tongtu/contract';
import type { AppFailure } from '@tongtu/contract/app-failures';
import type { ReactNode } from 'react';

/**
 * Why a session ended; `disconnected` when the browser was cut off and does not know more, `browser-too-old` when it cannot
 * run the app.
 */
export type EndReason = AppFailure | 'disconnected' | 'browser-too-old';

/** What shows an open app. It stays while the user reconnects, so that nothing on the screen is lost. */
export type AppScreenProps = {
  /** Another one after each reconnection. */
  session: CloudAppOpened;
  /** Says that the session has ended and offers a new one; undefined while it is open. */
  notice: ReactNode;
  onEnded: (reason: EndReason) => void;
  /** Leaves the session as it is, and opens another one. */
  onFresh?: () => void;
};
