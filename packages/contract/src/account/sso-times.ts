/**
 * How long a page shows a QR code that nobody scans, and how much longer it waits after a scan. The host accepts no
 * later decision. This file imports no library, so the browser can load it.
 */
export const SSO_SHOWN_SECONDS = 120;
export const SSO_DECIDE_SECONDS = 50;
