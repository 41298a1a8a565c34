import { paths } from '../../../routing/paths.ts';
import { dropNote, writeNote, readNote } from '../../../ui/session-note.ts';

const key = 'tongtu.wechat-left';
/** As long as the lifetime of the state's cookie. */
const maxAgeMs = 600_000;

/** Stores the login and the current place before WeChat's page replaces the console. */
export function storePendingLogin(state: string): void {
  writeNote(key, [Date.now(), state, placeHere()].join(' '));
}

/**
 * Where to go from the login screen with this query. WeChat's page returns there without one; the place before is that
 * which this tab left a short while ago.
 */
export function placeToGoBackTo(search: string, { isLoggedIn }: { isLoggedIn: boolean }): string | undefined {
  const left = search === '' ? readPending()?.place : undefined;
  const isLogin = left?.startsWith(`${paths.login}?`);
  return isLogin || (isLoggedIn && left !== paths.login) ? left : undefined;
}

/** The login that left from this same place. A login from another place has another purpose. */
export function readPendingState(): string | undefined {
  const left = readPending();
  return left?.place === placeHere() ? left.state : undefined;
}

/** Called when the login continues, and for the next user of this tab. */
export function forgetPendingLogin(): void {
  dropNote(key);
}

function readPending(): { state: string; place: string } | undefined {
  const [atMs, state, place] = readNote(key).split(' ');
  const isFresh = Math.abs(Date.now() - Number(atMs)) < maxAgeMs;
  return state && place && isFresh ? { state, place } : undefined;
}

/** The router's place, with the characters encoded that an address bar leaves as they are. */
function placeHere(): string {
  const { pathname, search } = new URL(location.hash.slice(1) || '/', location.origin);
  return pathname + search;
}
