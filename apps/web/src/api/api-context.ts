import { createContext, use } from 'react';
import type { Call } from './call-types.ts';

/** What the page can ask of the server. */
export type Api = {
  call: Call;
  /** Where the browser is sent to log out; ends no session but that of whom the page shows. */
  logoutUrl: () => string;
  /** Ends the session without leaving the page. Throws ApiError. */
  endSession: () => Promise<void>;
  /** Leaves for the login page, because the server no longer knows the caller. */
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
