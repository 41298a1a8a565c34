export { findTrustedBrowser, setTrustCookie, trustBrowser } from './trusted-browser.ts';
export { deleteOldTrusted, deleteTrusted, deleteTrustedOfSession } from './trusted-browser-store.ts';
