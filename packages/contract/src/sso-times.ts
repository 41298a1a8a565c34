/**
 * How long a page shows a picture that nobody scans, and how much longer it waits for one that was scanned. The host
 * takes no decision that comes later. This file loads no library, so the browser can import it.
 */
export const SSO_SHOWN_SECONDS = 120;
export const SSO_DECIDE_SECONDS = 50;
