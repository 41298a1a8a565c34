import { dropNote, keepNote, readNote } from '../../../ui/session-note.ts';

const key = 'tongtu.wechat-left';
/** As long as the state's cookie. */
const keptMs = 600_000;

/** Before this view leaves for WeChat's question: which login it is to go on with, and where, when it comes back. */
export function noteLeaving(state: string): void {
  keepNote(key, [Date.now(), state, placeHere()].join(' '));
}

/** The place that this view left for WeChat's question not long ago. */
export function readPlaceLeft(): string | undefined {
  return readLeft()?.place;
}

/** The login that was left for WeChat's question at this very place: one of another place is for something else. */
export function readStateLeft(): string | undefined {
  const left = readLeft();
  return left?.place === placeHere() ? left.state : undefined;
}

/** Once it was gone on with, and for the next person at this tab. */
export function forgetLeaving(): void {
  dropNote(key);
}

function readLeft(): { state: string; place: string } | undefined {
  const [atMs, state, place] = readNote(key).split(' ');
  const isFresh = Math.abs(Date.now() - Number(atMs)) < keptMs;
  return state && place && isFresh ? { state, place } : undefined;
}

/** Where the router is, without what an address bar may hold unencoded. */
function placeHere(): string {
  const { pathname, search } = new URL(location.hash.slice(1) || '/', location.origin);
  return pathname + search;
}
