/**
 * The oldest browsers in which the pages work, for the syntax that the builds write. The functions that these browsers
 * lack are in older-browsers.ts. docs/console.md says why it is these.
 */
export const consoleBrowsers = ['chrome92', 'edge92', 'firefox115', 'safari16.4'];

/** What guests open: the gate, and with it the login. */
export const startBrowsers = ['chrome86', 'edge86', 'firefox115', 'safari16.4'];
