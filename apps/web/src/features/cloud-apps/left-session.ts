import type { CloudAppOpened } from '@tongtu/contract';

/** Of this tab alone, and while it is loaded again. */
const keyOf = (appId: number) => `tongtu.app-session.${appId}`;
const terminalKinds: ReadonlySet<string> = new Set(['ssh', 'telnet']);

/** The session of the app that this tab had before it was loaded again. */
export function readLeftSession(appId: number): number | undefined {
  try {
    const id = Number(sessionStorage.getItem(keyOf(appId)));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    return undefined; // storage may be forbidden; then the server knows the sessions that have no page
  }
}

export function noteSession({ id, app }: CloudAppOpened): void {
  try {
    if (terminalKinds.has(app.kind)) sessionStorage.setItem(keyOf(app.id), String(id));
  } catch {
    // see readLeftSession
  }
}

export function forgetSession(appId: number): void {
  try {
    sessionStorage.removeItem(keyOf(appId));
  } catch {
    // see readLeftSession
  }
}
