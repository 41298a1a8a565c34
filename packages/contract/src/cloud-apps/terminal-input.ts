/**
 * Of what the browser has put on the WebSocket of a terminal and the target has not taken. More waits in the page, so
 * that other messages never wait behind input. This file imports no library, so the browser can load it.
 */
export const terminalInputWindowBytes = 64 * 1024;
/** The gateway reports taken input in steps of this size. Less than the window, or the last report would be missing. */
export const terminalInputStepBytes = 8 * 1024;
