export { findTrustedBrowser, setTrustCookie, skipsSecondStep, trustBrowser } from './trusted-browser.ts';
export { registerTrustedBrowserRoutes } from './trusted-browser-routes.ts';
export {
  deleteOldTrusted,
  deleteTrusted,
  deleteTrustedOfSession,
  endSecondStepTrust,
} from './trusted-browser-store.ts';
