import { createContext, use } from 'react';
import type { Call } from './client/call-types.ts';

/** The console's calls to the server. */
export type Api = {
  call: Call;
  /** The address that logs out. The server ends only the session of the user that this tab shows. */
  logoutUrl: () => string;
  /** Ends the session and stays in the console. Throws ApiError. */
  endSession: () => Promise<void>;
  /** Opens the login screen, because the server no longer accepts the session. */
  leaveForLogin: () => void;
};

const ApiContext = createContext<Api | undefined>(undefined);
export const ApiProvider = ApiContext.Provider;

/** The client that the app was started with. Throws outside of ApiProvider. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error('useApi outside of ApiProvider');
  return api;
}
