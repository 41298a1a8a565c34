const storageKey = 'tongtu.wake';
/** A page that opens later than this was not opened by that click. */
const VALID_MS = 30_000;

/**
 * Notes that the user has asked to wake this app's host, for the page that opens next, also in another tab. An address could
 * say it as well, but then any link on any site could wake machines.
 */
export function noteWakeIntent(appId: number): void {
  try {
    localStorage.setItem(storageKey, `${appId} ${Date.now()}`);
  } catch {
    return; // storage may be forbidden; then the user clicks once more on that page
  }
}

/** Whether the user has just asked for it. True once. */
export function takeWakeIntent(appId: number): boolean {
  try {
    const [id, atMs] = (localStorage.getItem(storageKey) ?? '').split(' ').map(Number);
    if (id !== appId) return false;
    localStorage.removeItem(storageKey);
    return Date.now() - (atMs ?? 0) < VALID_MS;
  } catch {
    return false; // see noteWakeIntent
  }
}
